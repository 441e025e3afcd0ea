# gradwatch-corpus: kind=none
# about: three carried states, each cut in an odd place: a forward pre-hook (detach_ of a clone at the next frame), .data assignment, and copy_ under no_grad
"""Streaming speech enhancement: band gains from a GRU, a learned noise floor tracker, and a lookback buffer."""
import itertools
import math

import torch
from torch import nn


class Street:
    """Harmonic 'voice' in slowly changing noise, as band energies."""

    def __init__(self, bands, batch, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.bands, self.batch = bands, batch
        self.k = torch.arange(bands).float()
        self.level = torch.ones(batch, 1)

    def __iter__(self):
        for n in itertools.count():
            self.level = (self.level * (1 + 0.05 * torch.randn(self.batch, 1, generator=self.g))).clamp(0.3, 2)
            pitch = 4 + 2 * math.sin(n / 9)
            voice = torch.relu(torch.sin(self.k / pitch * 6.28 + torch.rand(self.batch, 1, generator=self.g))) * (n % 50 > 10)
            noise = self.level * (0.5 + torch.rand(self.batch, self.bands, generator=self.g)) * torch.exp(-self.k / 20)
            yield voice + noise, voice


class Enhancer(nn.Module):
    def __init__(self, bands, hid, batch):
        super().__init__()
        self.inp = nn.Linear(bands * 3, hid)
        self.gru = nn.GRUCell(hid, hid)
        self.gain = nn.Linear(hid, bands)
        self.rise = nn.Parameter(torch.full((bands,), -2.0))
        self.memory = torch.zeros(batch, hid)
        self.floor = torch.zeros(batch, bands)
        self.register_buffer("lookback", torch.zeros(batch, bands), persistent=False)
        self.register_forward_pre_hook(self.fresh)

    @staticmethod
    def fresh(mod, args):
        mod.memory = mod.memory.clone().detach_()

    def forward(self, mix):
        up = torch.sigmoid(self.rise)
        floor = self.floor + up * (mix - self.floor)
        floor = torch.minimum(floor, mix + 0.1)
        z = torch.tanh(self.inp(torch.cat([mix, floor, self.lookback], 1)))
        self.memory = self.gru(z, self.memory)
        est = torch.sigmoid(self.gain(self.memory)) * torch.relu(mix - floor / 2)
        self.floor.data = floor.data
        return est, floor

    def remember(self, est):
        with torch.no_grad():
            self.lookback.mul_(0.5).add_(est, alpha=0.5)


def main(frames=340, bands=40, batch=24):
    torch.manual_seed(18)
    net = Enhancer(bands, 64, batch)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    track = []
    for n, (mix, voice) in zip(range(frames), Street(bands, batch, 18)):
        est, floor = net(mix)
        loss = (est - voice).pow(2).mean() + 0.02 * (floor - (mix - voice)).abs().mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        net.remember(est)
        track.append(loss.item())
        if n % 85 == 84:
            print(f"frame {n + 1} loss {sum(track[-85:]) / 85:.4f} floor {net.floor.mean().item():.3f} memory {net.memory.abs().mean().item():.3f}")


main()
