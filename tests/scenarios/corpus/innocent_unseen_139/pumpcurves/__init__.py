"""Head-flow curves of pumps from a few test points (MAML)."""
