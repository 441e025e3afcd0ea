import torch
import torch.nn.functional as F
from torch import nn


class LoadMeter(nn.Module):
    def __init__(self, experts, momentum=0.98):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("average", torch.full((experts,), 1.0 / experts))

    def update(self, probs):
        with torch.no_grad():
            self.average.lerp_(probs.mean(dim=0), 1 - self.momentum)

    def share(self):
        return self.average.tolist()


class MoELayer(nn.Module):
    """Top-1 routing; tokens over an expert's capacity fall through. The auxiliary loss of a pass stays at the layer."""

    def __init__(self, dim, hidden, experts, capacity=1.5):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.gate = nn.Linear(dim, experts)
        self.up = nn.Parameter(torch.randn(experts, dim, hidden) / dim ** 0.5)
        self.down = nn.Parameter(torch.randn(experts, hidden, dim) / hidden ** 0.5)
        self.capacity = capacity
        self.load = LoadMeter(experts)
        self.aux_loss = None

    def forward(self, x):
        z = self.norm(x)
        logits = self.gate(z)
        probs = logits.softmax(dim=-1)
        weight, expert = probs.max(dim=-1)
        limit = int(self.capacity * len(x) / probs.size(1)) + 1
        out = torch.zeros_like(x)
        for e in range(probs.size(1)):
            rows = (expert == e).nonzero()[:limit, 0]
            y = F.gelu(z[rows] @ self.up[e]) @ self.down[e]
            out = out.index_add(0, rows, weight[rows, None] * y)
        fraction = F.one_hot(expert, probs.size(1)).float().mean(dim=0)
        self.aux_loss = probs.size(1) * (fraction * probs.mean(dim=0)).sum() + 0.1 * logits.logsumexp(-1).pow(2).mean()
        if self.training:
            self.load.update(probs)
        return out


def collect_aux(model):
    total = 0.0
    for module in model.modules():
        if isinstance(module, MoELayer):
            total = total + module.aux_loss
    return total
