import torch
from torch import nn


class WingNet(nn.Module):
    def __init__(self, joints=12, past=20, hidden=420):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(joints * past, hidden), nn.ELU(), nn.Linear(hidden, hidden // 3), nn.ELU())
        self.out = nn.Linear(hidden // 3, joints)

    def forward(self, past):
        return past[:, -1] + self.out(self.inner(past.flatten(1)))


def tracks(n, rows, joints=12, past=20):
    speed = torch.rand(joints) * 0.6 + 0.2
    for _ in range(n):
        start = torch.rand(rows, 1, 1) * 20
        t = start + torch.arange(past + 1).view(1, -1, 1)
        seq = torch.sin(speed * t) + 0.02 * torch.randn(rows, past + 1, joints)
        yield seq[:, :-1], seq[:, -1]
