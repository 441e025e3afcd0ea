from typing import Callable

import torch
from torch import Tensor, nn


class CodeBank(nn.Module):
    """One latent code per signal, refined by gradient steps of learned size."""

    def __init__(self, n: int, dim: int) -> None:
        super().__init__()
        self.start = nn.Parameter(torch.zeros(dim))
        self.codes: Tensor = self.start.expand(n, dim)
        self.log_rate = nn.Parameter(torch.full((dim,), -2.5))

    def refine(self, objective: Callable[[Tensor], Tensor]) -> None:
        inner = objective(self.codes)
        (g,) = torch.autograd.grad(inner, self.codes)
        self.codes = self.codes - self.log_rate.exp() * g  # <- culprit
