"""Tests of the window: the real application over real folders, with real keys and mouse."""
