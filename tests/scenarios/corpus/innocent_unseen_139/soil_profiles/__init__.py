"""Adversarial simulation of soil-moisture profiles."""
