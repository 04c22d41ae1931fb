"""The playground pane: a query, its parameters, and the sequence a host would inject."""
