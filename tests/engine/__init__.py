"""Tests of the engine, written from the format's specification."""
