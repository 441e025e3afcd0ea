"""P-phase picking on synthetic three-component traces."""
