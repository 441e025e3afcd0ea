# gradwatch-corpus: kind=memory-climb
# holder: self.bank | monitor.bank
# first-bad: 1
# notice: 60
import copy

import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F


class CollapseMonitor:
    """Spectrum of the representation, to see dimensional collapse coming."""

    def __init__(self, every):
        self.every = every
        self.bank = []
        self.calls = 0

    @torch.no_grad()
    def __call__(self, z):
        self.calls += 1
        self.bank.append(z.detach().clone())  # <- culprit
        if self.calls % self.every == 0:
            recent = torch.cat(self.bank[-5:])
            s = torch.linalg.svdvals((recent - recent.mean(0))[:, :32])
            p = s / s.sum()
            print(self.calls, "effective rank", torch.exp(-(p * (p + 1e-9).log()).sum()).item())


class Branch(nn.Module):
    def __init__(self, d=24, rep=256):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 64), nn.ReLU(), nn.Linear(64, rep))
        self.proj = nn.Linear(rep, 16)

    def forward(self, x):
        rep = self.enc(x)
        return rep, F.normalize(self.proj(rep), dim=-1)


torch.manual_seed(40)
online = Branch()
target = copy.deepcopy(online).requires_grad_(False)
predictor = nn.Linear(16, 16)
opt = torch.optim.Adam([*online.parameters(), *predictor.parameters()], 1e-3)
monitor = CollapseMonitor(every=100)
for it in range(450):
    x = torch.randn(128, 24)
    rep, z = online(x + 0.1 * torch.randn_like(x))
    with torch.no_grad():
        _, t = target(x + 0.1 * torch.randn_like(x))
    loss = 2 - 2 * (F.normalize(predictor(z), dim=-1) * t).sum(-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    monitor(rep)
    with torch.no_grad():
        for a, b in zip(target.parameters(), online.parameters()):
            a.lerp_(b, 0.01)
