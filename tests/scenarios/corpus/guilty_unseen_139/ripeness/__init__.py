"""Mango ripeness from a handful of near-infrared bands."""
