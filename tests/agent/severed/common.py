"""What jobs of all modules use."""

from __future__ import annotations

import torch


def data():
    return torch.randn(8, 4), torch.randn(8, 1)
