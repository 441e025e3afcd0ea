"""What outlives its iteration, and whether rightly."""
