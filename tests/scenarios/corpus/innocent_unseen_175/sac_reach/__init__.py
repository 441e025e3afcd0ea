"""Soft actor-critic for a point that must reach a goal."""
