# gradwatch-corpus: kind=none
import copy
import math
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

CALLBACKS = {}


def callback(cls):
    CALLBACKS[cls.__name__.lower()] = cls
    return cls


@dataclass
class VocoderConfig:
    hop: int = 16
    mels: int = 20
    frames: int = 24
    batch: int = 8
    steps: int = 150
    fm_weight: float = 2.0
    callbacks: tuple = ("averager", "tap", "recent")


class Generator(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(c.mels, 48, 5, padding=2), nn.LeakyReLU(0.1),
            nn.ConvTranspose1d(48, 32, 8, stride=4, padding=2), nn.LeakyReLU(0.1),
            nn.ConvTranspose1d(32, 16, 8, stride=4, padding=2), nn.LeakyReLU(0.1),
            nn.Conv1d(16, 1, 7, padding=3), nn.Tanh())

    def forward(self, mel):
        return self.net(mel)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([
            nn.Conv1d(1, 16, 15, stride=2, padding=7), nn.Conv1d(16, 32, 15, stride=4, padding=7),
            nn.Conv1d(32, 32, 5, padding=2)])
        self.out = nn.Conv1d(32, 1, 3, padding=1)

    def forward(self, x):
        feats = []
        for layer in self.layers:
            x = F.leaky_relu(layer(x), 0.1)
            feats.append(x)
        return self.out(x), feats


@callback
class Averager:
    def __init__(self, job):
        self.shadow = copy.deepcopy(job.gen).requires_grad_(False)

    @torch.no_grad()
    def after_step(self, job, out):
        for s, p in zip(self.shadow.parameters(), job.gen.parameters()):
            s.lerp_(p, 0.01)


@callback
class Tap:
    """Mean activation of every critic layer, kept for the whole run."""

    def __init__(self, job):
        self.series = {n: [] for n, _ in job.critic.layers.named_children()}
        for n, m in job.critic.layers.named_children():
            m.register_forward_hook(lambda mod, i, o, n=n: self.series[n].append(o.detach().mean()))

    def after_step(self, job, out):
        pass


@callback
class Recent:
    """The last few outputs, whole, for a look when something goes wrong."""

    def __init__(self, job):
        self.outputs = deque(maxlen=3)

    def after_step(self, job, out):
        self.outputs.append(out)


class Job:
    def __init__(self, c):
        self.c = c
        self.gen, self.critic = Generator(c), Critic()
        self.opt_g = torch.optim.AdamW(self.gen.parameters(), 2e-4, betas=(0.8, 0.99))
        self.opt_d = torch.optim.AdamW(self.critic.parameters(), 2e-4, betas=(0.8, 0.99))
        self.callbacks = [CALLBACKS[n](self) for n in c.callbacks]
        self.basis = torch.randn(c.mels, 1)

    def data(self):
        c = self.c
        for _ in range(c.steps):
            f0 = torch.rand(c.batch, 1, 1) * 0.2 + 0.02
            t = torch.arange(c.frames * c.hop).view(1, 1, -1)
            wave = 0.6 * torch.sin(2 * math.pi * f0 * t)
            mel = self.basis * f0 * 10 + 0.1 * torch.randn(c.batch, c.mels, c.frames)
            yield mel, wave

    def step(self, mel, wave):
        fake = self.gen(mel)
        real_s, _ = self.critic(wave)
        fake_s, _ = self.critic(fake.detach())
        d_loss = (1 - real_s).square().mean() + fake_s.square().mean()
        self.opt_d.zero_grad()
        d_loss.backward()
        self.opt_d.step()

        self.critic.requires_grad_(False)
        score, feats = self.critic(fake)
        with torch.no_grad():
            _, targets = self.critic(wave)
        fm = sum(F.l1_loss(a, b) for a, b in zip(feats, targets))
        g_loss = (1 - score).square().mean() + self.c.fm_weight * fm + 5 * F.l1_loss(fake, wave)
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()
        self.critic.requires_grad_(True)
        for cb in self.callbacks:
            cb.after_step(self, {"fake": fake, "loss": g_loss})
        return d_loss.item(), g_loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    job = Job(VocoderConfig())
    for i, (mel, wave) in enumerate(job.data()):
        d, g = job.step(mel, wave)
        if i % 30 == 0:
            print(f"{i:4d} critic {d:.3f} generator {g:.3f}")
    print({n: round(torch.stack(s[-20:]).mean().item(), 4) for n, s in job.callbacks[1].series.items()})
