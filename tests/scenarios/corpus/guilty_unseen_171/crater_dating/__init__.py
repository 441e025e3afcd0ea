"""Relative ages of lunar craters from their radial profiles."""
