# gradwatch-corpus: kind=second-backward
# holder: self.guess | process.guess
# first-bad: 103
# notice: 0
# Diffusion over 6x6 glyphs with self-conditioning and EMA weights.
import random

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.set_num_threads(1)
torch.manual_seed(64)
random.seed(64)


class Net(nn.Module):
    def __init__(self, n=36):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2 * n + 1, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, n))

    def forward(self, xt, t, hint):
        return self.body(torch.cat([xt, hint, t], 1))


class Process:
    def __init__(self, net, p_hint, after):
        self.net, self.p_hint, self.after = net, p_hint, after
        self.guess = None
        self.calls = 0

    def noise(self, x0, t):
        a = torch.cos(t * torch.pi / 2)
        return a * x0 + (1 - a * a).sqrt() * torch.randn_like(x0)

    def loss(self, x0):
        t = torch.rand(len(x0), 1)
        xt = self.noise(x0, t)
        hint = torch.zeros_like(x0)
        self.calls += 1
        if self.calls > self.after and random.random() < self.p_hint:
            if self.guess is None or random.random() < 0.1:
                with torch.no_grad():
                    hint = self.net(xt, t, hint)
            else:
                hint = self.guess  # <- culprit
        out = self.net(xt, t, hint)
        self.guess = out  # <- culprit
        return (out - x0).square().mean()


def glyphs(n):
    g = torch.full((n, 6, 6), -1.0)
    for i in range(n):
        r, c = random.randrange(6), random.randrange(6)
        g[i, r], g[i, :, c] = 1.0, 1.0
    return g.flatten(1)


net = Net()
ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.99))
process = Process(net, p_hint=0.25, after=100)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for it in range(500):
    loss = process.loss(glyphs(16))
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update_parameters(net)
    if it % 25 == 0:
        print("iter", it, f"{loss.item():.3f}", flush=True)
