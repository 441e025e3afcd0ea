"""What a backward needs is changed before it: inplace-modified."""
