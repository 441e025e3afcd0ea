# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Temporal conv net for denoising."""
import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, c, dil):
        super().__init__()
        self.f = nn.Conv1d(c, c, 3, padding=dil, dilation=dil)
        self.g = nn.Conv1d(c, c, 3, padding=dil, dilation=dil)
        self.mix = nn.Conv1d(c, c, 1)

    def forward(self, x):
        gate = torch.sigmoid(self.g(x))
        y = torch.tanh(self.f(x))
        y = y * gate
        gate += 1.0  # <- culprit
        return self.mix(y) + x / gate


class Denoiser(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.inp = nn.Conv1d(1, c, 1)
        self.units = nn.ModuleList(GatedUnit(c, 2 ** i) for i in range(3))
        self.out = nn.Conv1d(c, 1, 1)

    def forward(self, x):
        h = self.inp(x)
        for u in self.units:
            h = u(h)
        return self.out(h)


torch.manual_seed(3)
model = Denoiser()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
t = torch.linspace(0, 12, 64)
for i in range(120):
    clean = torch.sin(t * (0.5 + torch.rand(8, 1, 1)) + 6 * torch.rand(8, 1, 1))
    loss = (model(clean + 0.3 * torch.randn_like(clean)) - clean).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 20 == 0:
        print(i, loss.item())
