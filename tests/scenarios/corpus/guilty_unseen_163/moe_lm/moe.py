import torch
from torch import nn


class Expert(nn.Sequential):
    def __init__(self, d, h):
        super().__init__(nn.Linear(d, h), nn.GELU(), nn.Linear(h, d))


class SparseMoE(nn.Module):
    def __init__(self, d, n_experts=4, k=2, hidden=32):
        super().__init__()
        self.router = nn.Linear(d, n_experts)
        self.experts = nn.ModuleList(Expert(d, hidden) for _ in range(n_experts))
        self.k = k
        self.register_buffer("load", torch.zeros(n_experts))
        self.seen = 0
        self.balance = None

    def forward(self, x):
        probs = self.router(x).softmax(-1)
        top, idx = probs.topk(self.k, dim=-1)
        gates = torch.zeros_like(probs).scatter(-1, idx, top / top.sum(-1, keepdim=True))
        flat = gates.flatten(0, 1)
        if self.training:
            self.load = self.load + flat.sum(0)  # <- culprit
            self.seen += flat.size(0)
        frac = (flat > 0).float().mean(0)
        self.balance = len(self.experts) * (frac * probs.flatten(0, 1).mean(0)).sum() / self.k
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            out = out + gates[..., e:e + 1] * expert(x)
        return out

    def usage(self):
        return (self.load / max(1, self.seen)).tolist()
