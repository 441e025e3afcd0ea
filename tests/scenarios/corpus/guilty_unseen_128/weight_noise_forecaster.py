# gradwatch-corpus: kind=crashed
# line: weight_noise_forecaster.py:45: weights = self.net.state_dict()
# first-bad: 100
# notice: 0
import math

import torch
torch.set_num_threads(1)
from torch import nn
from torch.func import functional_call


class NBeatsBlock(nn.Module):
    def __init__(self, back, ahead, width):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(back, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.b = nn.Linear(width, back)
        self.f = nn.Linear(width, ahead)

    def forward(self, x):
        h = self.fc(x)
        return x - self.b(h), self.f(h)


class NBeats(nn.Module):
    def __init__(self, back=24, ahead=6, width=24, blocks=3):
        super().__init__()
        self.blocks = nn.ModuleList(NBeatsBlock(back, ahead, width) for _ in range(blocks))

    def forward(self, x):
        y = 0
        for blk in self.blocks:
            x, f = blk(x)
            y = y + f
        return y


class Perturbed:
    """Evaluates a network at a randomly displaced point of weight space."""

    def __init__(self, net, sigma):
        self.net, self.sigma = net, sigma

    def draw(self):
        weights = self.net.state_dict()  # <- culprit
        return {name: w + self.sigma * torch.randn_like(w) for name, w in weights.items()}

    def __call__(self, x):
        return functional_call(self.net, self.draw(), (x,))


def series(n=32):
    phase = torch.rand(n, 1) * 2 * math.pi
    per = torch.rand(n, 1) * 10 + 8
    y = torch.sin(2 * math.pi * torch.arange(30) / per + phase) + 0.05 * torch.randn(n, 30)
    return y[:, :24], y[:, 24:]


def fit(noise_from=100, total=500):
    net = NBeats()
    noisy = Perturbed(net, 0.01)
    opt = torch.optim.NAdam(net.parameters(), lr=2e-3)
    for k in range(total):
        past, future = series()
        forecast = net if k < noise_from else noisy
        smape = (2 * (forecast(past) - future).abs() / (2 + future.abs())).mean()
        opt.zero_grad()
        smape.backward()
        opt.step()
        if k % 50 == 0:
            print(k, smape.item())


torch.manual_seed(17)
fit()
