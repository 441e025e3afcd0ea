"""What statements do to graphs and gradients: cut, switch off, retain, clear, change in place."""
