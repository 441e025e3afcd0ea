# gradwatch-corpus: kind=second-backward
# holder: self.belief | engine.belief
# first-bad: 1
"""Recurrent observer for a Lorenz-63 system seen through a noisy projection."""
from dataclasses import dataclass

import torch
from torch import Tensor, nn

SIGMA = 10.0
RHO = 28.0
BETA = 8.0 / 3.0


@dataclass
class Belief:
    mean: Tensor
    logvar: Tensor
    memory: Tensor


def lorenz(x):
    a, b, c = x.unbind(-1)
    return torch.stack([SIGMA * (b - a), a * (RHO - c) - b, a * b - BETA * c], dim=-1)


def rk4(x, dt=0.02):
    k1 = lorenz(x)
    k2 = lorenz(x + 0.5 * dt * k1)
    k3 = lorenz(x + 0.5 * dt * k2)
    k4 = lorenz(x + dt * k3)
    return x + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)


def stream(batch, n, noise=1.0):
    x = torch.tensor([1.0, 1.0, 25.0]) + 4.0 * torch.randn(batch, 3)
    for _ in range(50):
        x = rk4(x)
    for _ in range(n):
        x = rk4(x)
        obs = x[:, :1] + noise * torch.randn(batch, 1)
        yield obs / 15.0, (x - torch.tensor([0.0, 0.0, 25.0])) / 15.0


class Observer(nn.Module):
    def __init__(self, memory=32):
        super().__init__()
        self.size = memory
        self.cell = nn.GRUCell(1 + 3 + 3, memory)
        self.gain = nn.Sequential(nn.Linear(memory, 32), nn.Tanh(), nn.Linear(32, 6))
        self.drift = nn.Linear(memory, 3)

    def start(self, batch):
        return Belief(torch.zeros(batch, 3), torch.zeros(batch, 3), torch.zeros(batch, self.size))

    def forward(self, belief, obs):
        prior = belief.mean + 0.02 * self.drift(belief.memory)
        innov = obs - prior[:, :1]
        memory = self.cell(torch.cat([innov, prior, belief.logvar], -1), belief.memory)
        dm, lv = self.gain(memory).chunk(2, dim=-1)
        return Belief(prior + dm, lv.clamp(-6.0, 3.0), memory)


def nll(belief, truth):
    err = truth - belief.mean
    return 0.5 * (belief.logvar + err ** 2 * torch.exp(-belief.logvar)).mean()


def chunks(it, k):
    buf = []
    for item in it:
        buf.append(item)
        if len(buf) == k:
            yield buf
            buf = []


class Assimilator:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.NAdam(net.parameters(), lr=lr)
        self.belief = None

    def assimilate(self, window):
        if self.belief is None:
            self.belief = self.net.start(window[0][0].shape[0])
        belief = self.belief  # <- culprit
        total = 0.0
        for obs, truth in window:
            belief = self.net(belief, obs)
            total = total + nll(belief, truth)
        self.belief = belief  # <- culprit
        loss = total / len(window)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(63)
    engine = Assimilator(Observer(), lr=2e-3)
    for n, window in enumerate(chunks(stream(32, 800), 8)):
        value = engine.assimilate(window)
        if n % 10 == 0:
            print(f"window {n:3d}  nll {value:.4f}  spread {engine.belief.logvar.exp().mean().item():.3f}")
