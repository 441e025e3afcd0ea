from functools import cached_property

import torch
import torch.nn as nn


class ProcessKernel(nn.Module):
    """Factors are worked out on first use and shared by all terms until the next update."""

    def __init__(self, x):
        super().__init__()
        self.register_buffer("x", x)
        self.raw = nn.ParameterDict({
            "length": nn.Parameter(torch.tensor(0.0)),
            "signal": nn.Parameter(torch.tensor(0.0)),
            "noise": nn.Parameter(torch.tensor(-1.5)),
        })

    def between(self, a, b):
        gap = torch.cdist(a, b) / self.raw["length"].exp()
        return self.raw["signal"].exp() * (1 + gap) * torch.exp(-gap)

    @cached_property
    def root(self):
        noise = self.raw["noise"].exp() + 1e-4
        return torch.linalg.cholesky(self.between(self.x, self.x) + noise * torch.eye(len(self.x)))

    @cached_property
    def log_det(self):
        return 2 * self.root.diagonal().log().sum()

    def complexity(self):
        return self.log_det.square() / len(self.x) + sum(p.square() for p in self.raw.values())

    def forget(self):
        for name in ("root", "log_det"):
            self.__dict__.pop(name, None)
