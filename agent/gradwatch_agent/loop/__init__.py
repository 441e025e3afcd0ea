"""One training thread, iteration by iteration."""
