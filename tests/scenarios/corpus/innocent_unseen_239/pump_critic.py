# gradwatch-corpus: kind=none
import logging
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class CriticConfig:
    length: int = 32
    latent: int = 8
    critic_steps: int = 2
    penalty: float = 10.0
    steps: int = 80
    batch: int = 32


class StepAdapter(logging.LoggerAdapter):
    def process(self, msg, kwargs):
        return f"{self.extra['name']}: {msg}", kwargs


@contextmanager
def frozen(module: nn.Module):
    flags = [p.requires_grad for p in module.parameters()]
    module.requires_grad_(False)
    try:
        yield
    finally:
        for p, flag in zip(module.parameters(), flags):
            p.requires_grad_(flag)


class PumpSignals:
    def __init__(self, cfg: CriticConfig):
        self.cfg = cfg
        self.grid = torch.linspace(0, 6.28, cfg.length)

    def normal(self) -> torch.Tensor:
        phase = 6.28 * torch.rand(self.cfg.batch, 1)
        return torch.sin(2 * self.grid + phase) + 0.05 * torch.randn(self.cfg.batch, self.cfg.length)

    def faulty(self) -> torch.Tensor:
        x = self.normal()
        x[:, 10:14] += 1.5
        return x


class WassersteinPair:
    def __init__(self, cfg: CriticConfig):
        self.cfg = cfg
        self.generator = nn.Sequential(nn.Linear(cfg.latent, 48), nn.ReLU(), nn.Linear(48, cfg.length))
        self.critic = nn.Sequential(nn.Linear(cfg.length, 48), nn.SiLU(), nn.Linear(48, 1))
        self.opt_g = torch.optim.Adam(self.generator.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))

    def noise(self):
        return torch.randn(self.cfg.batch, self.cfg.latent)

    def gradient_penalty(self, real, fake):
        mix = torch.rand(len(real), 1)
        point = (mix * real + (1 - mix) * fake).requires_grad_()
        (grad,) = torch.autograd.grad(self.critic(point).sum(), point, create_graph=True)
        return (grad.norm(dim=1) - 1).square().mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.generator(self.noise())
        gap = self.critic(fake).mean() - self.critic(real).mean()
        loss = gap + self.cfg.penalty * self.gradient_penalty(real, fake)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        return gap.item()

    def generator_step(self):
        with frozen(self.critic):
            loss = -self.critic(self.generator(self.noise())).mean()
            self.opt_g.zero_grad()
            loss.backward()
            self.opt_g.step()
        return loss.item()

    @torch.inference_mode()
    def separation(self, signals):
        return (self.critic(signals.normal()).mean() - self.critic(signals.faulty()).mean()).item()


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    log = StepAdapter(logging.getLogger(__name__), {"name": "pump"})
    torch.manual_seed(101)
    cfg = CriticConfig()
    signals = PumpSignals(cfg)
    pair = WassersteinPair(cfg)
    gaps = []
    for step in range(cfg.steps):
        for _ in range(cfg.critic_steps):
            gaps.append(pair.critic_step(signals.normal()))
        g = pair.generator_step()
        if step % 20 == 19:
            log.info("step %d gap %.3f gen %.3f separation %.3f", step + 1, gaps[-1], g, pair.separation(signals))


if __name__ == "__main__":
    main()
