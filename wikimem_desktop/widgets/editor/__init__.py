"""The editor pane: the open item as text, rendered, and what stands around it."""
