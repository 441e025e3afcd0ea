"""Sensor-profile VAE with a full-covariance prior."""
