import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, d, experts, k, speed=0.05):
        super().__init__()
        self.w = nn.Linear(d, experts, bias=False)
        self.k, self.speed = k, speed
        self.load = torch.full((experts,), 1 / experts)

    def forward(self, x):
        prob = self.w(x).softmax(-1)
        shifted = prob - (self.load - self.load.mean())
        chosen = shifted.topk(self.k, -1).indices
        weight = prob.gather(-1, chosen)
        if self.training:
            self.load = (1 - self.speed) * self.load + self.speed * prob.mean((0, 1))  # <- culprit
        return weight / weight.sum(-1, keepdim=True), chosen


class Experts(nn.Module):
    def __init__(self, d, experts, k):
        super().__init__()
        self.gate = Gate(d, experts, k)
        self.pool = nn.ModuleList(nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d)) for _ in range(experts))

    def forward(self, x):
        weight, chosen = self.gate(x)
        every = torch.stack([e(x) for e in self.pool], 2)
        picked = every.gather(2, chosen.unsqueeze(-1).expand(*chosen.shape, x.size(-1)))
        return x + (picked * weight.unsqueeze(-1)).sum(2)


class TokenMixture(nn.Module):
    def __init__(self, vocab, d, experts, k):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.conv = nn.Conv1d(d, d, 3, padding=1)
        self.moe = Experts(d, experts, k)
        self.cls = nn.Linear(d, 3)

    def forward(self, tokens):
        h = self.emb(tokens)
        h = h + torch.relu(self.conv(h.transpose(1, 2))).transpose(1, 2)
        return self.cls(self.moe(h))
