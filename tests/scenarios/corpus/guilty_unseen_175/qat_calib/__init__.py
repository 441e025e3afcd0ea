"""Quantization-aware training of a tiny keyword detector."""
