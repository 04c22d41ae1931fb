"""Reference scorers and benchmarks."""
