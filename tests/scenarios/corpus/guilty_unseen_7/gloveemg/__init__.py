"""Glove posture decoding from long EMG recordings."""
