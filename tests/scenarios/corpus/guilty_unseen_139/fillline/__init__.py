"""Fill-volume correction for a rotary bottling line."""
