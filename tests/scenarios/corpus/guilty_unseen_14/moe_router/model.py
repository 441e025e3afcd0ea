import torch
from torch import nn


class Router(nn.Module):
    """Softmax gate with a slowly moving load estimate."""

    def __init__(self, dim, experts, decay=0.9):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.decay = decay
        self.register_buffer("load", torch.full((experts,), 1.0 / experts), persistent=False)

    def forward(self, x):
        return torch.softmax(self.gate(x), dim=-1)

    def balance_penalty(self, probs):
        self.load = self.decay * self.load + (1 - self.decay) * probs.mean(0)  # <- culprit
        hard = torch.zeros_like(self.load).scatter_add_(
            0, probs.detach().argmax(1), torch.ones(len(probs))) / len(probs)
        return probs.size(1) * (self.load * hard).sum()


class MoE(nn.Module):
    def __init__(self, dim, experts, hidden):
        super().__init__()
        self.router = Router(dim, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, 1)) for _ in range(experts))

    def forward(self, x):
        probs = self.router(x)
        outs = torch.cat([e(x) for e in self.experts], dim=1)
        return (probs * outs).sum(1, keepdim=True), self.router.balance_penalty(probs)
