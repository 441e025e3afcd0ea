import copy

import torch
from torch import nn


class RecurrentQ(nn.Module):
    def __init__(self, spec):
        super().__init__()
        self.cell = nn.GRUCell(2, spec.hidden)
        self.q = nn.Linear(spec.hidden, spec.actions)

    def forward(self, obs, h):
        h = self.cell(obs, h)
        return self.q(h), h


class TargetMixin:
    def make_target(self, net):
        self.target = copy.deepcopy(net)
        self.target.requires_grad_(False)

    @torch.no_grad()
    def track(self, net, tau):
        for a, b in zip(self.target.parameters(), net.parameters()):
            a.mul_(1 - tau).add_(b, alpha=tau)
