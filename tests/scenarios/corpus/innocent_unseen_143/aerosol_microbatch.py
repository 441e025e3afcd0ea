# gradwatch-corpus: kind=none
"""Aerosol optical depth from radiances. Four micro-batches make one step; the last six step losses are averaged."""
from collections import deque
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)


class Retrieval(nn.Module):
    def __init__(self, bands=9):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2, batch_first=True)
        self.inp = nn.Linear(1, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, rad):
        t = self.inp(rad.unsqueeze(-1))
        a, _ = self.attn(t, t, t)
        return self.out((t + a).mean(1)).squeeze(1)


def scene(n=4):
    aod = torch.rand(n)
    band = torch.linspace(0.4, 1.6, 9)
    return aod[:, None] * band ** -1.3 + 0.05 * torch.randn(n, 9), aod


net = Retrieval()
opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
recent = deque(maxlen=6)
MICRO = 4

for k in range(420):
    total = 0.0
    opt.zero_grad()
    for _ in range(MICRO):
        rad, aod = scene()
        total = total + (net(rad) - aod).square().mean() / MICRO
    total.backward()
    opt.step()
    recent.append(total)
    if k % 60 == 59:
        print(k + 1, f"mean of last {len(recent)}: {torch.stack(tuple(recent)).mean().item():.4f}")
