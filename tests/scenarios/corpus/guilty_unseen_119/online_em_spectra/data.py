import numpy as np
import torch


def lines(n, centres=((-1.5, 0.5, 0.0), (0.2, -1.0, 1.0), (1.6, 0.8, -0.7)), width=0.35):
    """centre, log-width and skew features of fitted lines from three species"""
    c = np.asarray(centres)
    k = np.random.choice(3, size=n, p=[0.5, 0.3, 0.2])
    return torch.tensor(c[k] + width * np.random.randn(n, 3), dtype=torch.float32)
