"""One object per side of the game."""
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class CriticStats(NamedTuple):
    loss: torch.Tensor
    real_feat: torch.Tensor
    margin: float


def matching(feat: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return F.l1_loss(feat.mean(0), target.mean(0))


class CriticPlayer:
    def __init__(self, critic: nn.Module, lr: float) -> None:
        self.critic = critic
        self.opt = torch.optim.Adam(critic.parameters(), lr=lr, betas=(0.5, 0.9))

    def play(self, real: torch.Tensor, fake: torch.Tensor) -> CriticStats:
        real_logit, real_feat = self.critic(real)
        fake_logit, _ = self.critic(fake.detach())
        loss = F.softplus(-real_logit).mean() + F.softplus(fake_logit).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        margin = (real_logit.mean() - fake_logit.mean()).item()
        return CriticStats(loss.detach(), real_feat, margin)  # <- culprit


class SynthPlayer:
    def __init__(self, synth: nn.Module, critic: nn.Module, lr: float, warmup: int) -> None:
        self.synth = synth
        self.critic = critic
        self.warmup = warmup
        self.opt = torch.optim.Adam(synth.parameters(), lr=lr, betas=(0.5, 0.9))

    def play(self, it: int, fake: torch.Tensor, seen: CriticStats) -> float:
        logit, feat = self.critic(fake)
        g_loss = F.softplus(-logit).mean()
        if it >= self.warmup:
            g_loss = g_loss + 2.0 * matching(feat, seen.real_feat)  # <- culprit
        self.opt.zero_grad()
        g_loss.backward()
        self.opt.step()
        return g_loss.item()
