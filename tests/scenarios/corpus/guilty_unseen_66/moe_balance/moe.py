import torch
import torch.nn.functional as F
from torch import nn

from tracking import SmoothedStats


class Expert(nn.Sequential):
    def __init__(self, dim, hidden):
        super().__init__(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))


class SparseFFN(SmoothedStats, nn.Module):
    """Top-1 switch layer. The balance term works on the smoothed importance of each expert,
    since with small batches a single batch says little."""

    def __init__(self, dim, hidden, n_experts, momentum=0.9):
        nn.Module.__init__(self)
        self.init_stats(momentum)
        self.experts = nn.ModuleList(Expert(dim, hidden) for _ in range(n_experts))
        self.gate = nn.Linear(dim, n_experts, bias=False)
        self.n_experts = n_experts

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        probs = F.softmax(self.gate(flat), dim=-1)
        weight, choice = probs.max(dim=-1)
        out = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            rows = (choice == e).nonzero().squeeze(1)
            if rows.numel():
                out = out.index_add(0, rows, expert(flat[rows]) * weight[rows, None])
        if self.training:
            self.track("load", probs.mean(0))  # <- culprit
        return out.view_as(x)

    def balance(self):
        load = self.stats["load"]
        return self.n_experts * load.square().sum() - 1.0
