"""Planar geometry used across the stack."""
import math

import torch


def wrap_(theta):
    """Brings angles back to [-pi, pi]."""
    over = theta.abs() > math.pi
    if over.any():
        theta[over] -= 2 * math.pi * theta[over].detach().sign()  # <- culprit
    return theta


def heading_vector(theta):
    return torch.stack([theta.cos(), theta.sin()], dim=-1)


def angle_error(a, b):
    return 1.0 - torch.cos(a - b)
