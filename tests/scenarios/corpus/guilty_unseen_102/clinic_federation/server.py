import torch
from torch import nn
import torch.nn.functional as F

from anchor import SlowAnchor


class RiskModel(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.scale = nn.LayerNorm(dim)
        self.risk = nn.Linear(dim, 1)

    def forward(self, x):
        return self.risk(self.scale(x)).squeeze(-1)


class Server:
    def __init__(self, dim, mu, lr):
        self.model = RiskModel(dim)
        self.mu = mu
        self.opt = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.anchor = SlowAnchor(self.model.risk.weight, rate=0.1)

    def visit(self, clinic, steps):
        total = 0.0
        for _ in range(steps):
            x, y = clinic.draw()
            loss = F.binary_cross_entropy_with_logits(self.model(x), y)
            loss = loss + self.mu * self.anchor.penalty(self.model.risk.weight)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total / steps
