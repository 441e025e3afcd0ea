"""Graphs that are walked again when they are freed: second-backward."""
