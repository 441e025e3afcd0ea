import torch
import torch.nn.functional as F
from torch import nn


class Router(nn.Module):
    def __init__(self, dim, n_experts, floor):
        super().__init__()
        self.proj = nn.Linear(dim, n_experts, bias=False)
        self.floor = floor

    def forward(self, tokens, prune):
        probs = F.softmax(self.proj(tokens), dim=-1)
        importance = probs.mean(0)
        if prune:
            probs[probs < self.floor] = 0.0  # <- culprit
        return probs, importance


class MoELayer(nn.Module):
    def __init__(self, dim, hidden, n_experts, floor=0.12):
        super().__init__()
        self.router = Router(dim, n_experts, floor)
        self.w_in = nn.Parameter(torch.randn(n_experts, dim, hidden) * dim**-0.5)
        self.w_out = nn.Parameter(torch.randn(n_experts, hidden, dim) * hidden**-0.5)

    def forward(self, x, prune=False):
        gates, importance = self.router(x, prune)
        h = F.silu(torch.einsum("td,edh->teh", x, self.w_in))
        y = torch.einsum("teh,ehd->ted", h, self.w_out)
        mixed = (gates.unsqueeze(-1) * y).sum(1)
        balance = len(importance) * importance.square().sum()
        return x + mixed, balance
