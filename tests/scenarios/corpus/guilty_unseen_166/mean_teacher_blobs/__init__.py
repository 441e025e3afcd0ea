"""Semi-supervised moons with a mean teacher."""
