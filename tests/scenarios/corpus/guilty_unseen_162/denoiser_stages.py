# gradwatch-corpus: kind=graph-held
# holder: self.stages | probe.stages | lap.out | self.probe.stages
# first-bad: 1
"""Small diffusion denoiser. A profiling context measures time and activation size of the stages of each step."""
import time
from contextlib import contextmanager
from types import SimpleNamespace

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(72)


class StageProbe:
    def __init__(self):
        self.stages = {}

    @contextmanager
    def stage(self, name):
        lap = SimpleNamespace(start=time.perf_counter(), seconds=0.0, out=None)
        try:
            yield lap
        finally:
            lap.seconds = time.perf_counter() - lap.start
            self.stages.setdefault(name, []).append(lap)  # <- culprit

    def summary(self, last=30):
        rows = {}
        for name, laps in self.stages.items():
            recent = laps[-last:]
            ms = 1e3 * sum(l.seconds for l in recent) / len(recent)
            rows[name] = (round(ms, 2), sum(l.out.numel() for l in recent if l.out is not None) // len(recent))
        return rows


class Denoiser(nn.Module):
    def __init__(self, dim=8, width=48):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(2, width), nn.SiLU())
        self.inp = nn.Linear(dim, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, dim)

    def forward(self, x, t):
        emb = self.time(torch.stack([t.sin(), t.cos()], -1))
        return self.out(self.mid(self.inp(x) + emb))


class Diffusion:
    def __init__(self, model, probe, steps=50):
        self.model, self.probe = model, probe
        self.abar = torch.linspace(0.999, 0.95, steps).cumprod(0)

    def loss(self, x0):
        with self.probe.stage("noise") as lap:
            t = torch.randint(0, len(self.abar), (len(x0),))
            a = self.abar[t][:, None]
            eps = torch.randn_like(x0)
            xt = a.sqrt() * x0 + (1 - a).sqrt() * eps
            lap.out = xt
        with self.probe.stage("predict") as lap:
            pred = self.model(xt, t / len(self.abar) * 3.14)
            lap.out = pred  # <- culprit
        return (pred - eps).pow(2).mean()


probe = StageProbe()
net = Denoiser()
diffusion = Diffusion(net, probe)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
mixing = torch.randn(3, 8)
for it in range(130):
    x0 = torch.tanh(torch.randn(64, 3) @ mixing)
    loss = diffusion.loss(x0)
    with probe.stage("update"):
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
    if it % 30 == 29:
        print(f"{it:4d} loss {loss.item():.4f} {probe.summary()}")
