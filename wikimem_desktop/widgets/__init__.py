"""Layout, painting and gestures. No file, network or ranking code."""
