import torch
from torch import nn


class EquilibriumLayer(nn.Module):
    """z* = tanh(W z* + U x + b), found by damped iteration from the last solution."""

    def __init__(self, width, steps, damping=0.5):
        super().__init__()
        self.W = nn.Parameter(torch.randn(width, width) * 0.3 / width ** 0.5)
        self.b = nn.Parameter(torch.zeros(width))
        self.steps, self.damping = steps, damping
        self._warm = {}

    def start(self, key, like):
        z = self._warm.get(key)
        return torch.zeros_like(like) if z is None or z.shape != like.shape else z

    def forward(self, key, inject):
        z = self.start(key, inject)
        for _ in range(self.steps):
            z = (1 - self.damping) * z + self.damping * torch.tanh(z @ self.W + inject + self.b)
        self._warm[key] = z  # <- culprit
        return z


class Desk(nn.Module):
    def __init__(self, universe, width, solver_steps):
        super().__init__()
        self.lift = nn.ModuleDict({k: nn.Linear(n, width, bias=False) for k, n in universe.items()})
        self.drop = nn.ModuleDict({k: nn.Linear(width, n) for k, n in universe.items()})
        self.allocator = EquilibriumLayer(width, solver_steps)

    def forward(self, name, past):
        z = self.allocator(name, self.lift[name](past * 30))
        raw = self.drop[name](z)
        return raw / (raw.abs().sum(-1, keepdim=True) + 1e-6)
