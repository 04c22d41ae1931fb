"""The tests of WikiMem Desktop."""
