"""What an iteration built, reached, freed and left."""
