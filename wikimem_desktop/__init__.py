"""WikiMem Desktop: a window on the markdown memory of an agent."""

__version__ = "0.0.1"
