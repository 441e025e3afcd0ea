"""Neural surrogate of wing-section lift, with the slope matched as well as the value."""
