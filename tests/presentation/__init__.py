"""Tests of what a person sees, as state: real threads, real files, no widgets but where Qt's own are the point."""
