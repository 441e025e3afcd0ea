import torch
from torch import nn


class RoutedLayer(nn.Module):
    def __init__(self, d, experts, top, noise=0.1):
        super().__init__()
        self.gate = nn.Linear(d, experts, bias=False)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(experts))
        self.top = top
        self.noise = noise
        self.aux = None
        self.register_buffer("usage", torch.full((experts,), 1 / experts))

    def forward(self, x):
        scores = self.gate(x)
        if self.training:
            scores = scores + self.noise * torch.randn_like(scores)
        value, index = scores.topk(self.top, dim=1)
        weight = torch.softmax(value, 1)
        out = torch.zeros_like(x)
        load = []
        for e, expert in enumerate(self.experts):
            row, slot = (index == e).nonzero(as_tuple=True)
            load.append(len(row) / index.numel())
            if len(row):
                out = out.index_add(0, row, weight[row, slot].unsqueeze(1) * expert(x[row]))
        load = torch.tensor(load)
        self.usage.mul_(0.99).add_(load, alpha=0.01)
        importance = torch.softmax(scores, 1).mean(0)
        self.aux = len(self.experts) * (importance * load).sum()
        return x + out
