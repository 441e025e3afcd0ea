"""What calls what, how often it runs, and what a name stands for at a line."""
