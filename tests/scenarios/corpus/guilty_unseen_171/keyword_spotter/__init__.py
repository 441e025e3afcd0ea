"""Small-footprint keyword spotting."""
