"""Tests of the whole program: real windows, real processes, a real memory."""
