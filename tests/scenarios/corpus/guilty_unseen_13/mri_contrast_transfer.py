# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""T1-to-T2 contrast transfer with an adversarial term; both players are configured through one dataclass."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class TransferConfig:
    size: int = 24
    batch: int = 6
    lr_gen: float = 1e-3
    lr_disc: float = 5e-4
    adv_weight: float = 0.05
    steps: int = 250


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.InstanceNorm2d(cout), nn.LeakyReLU(0.2))


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(block(1, 12), block(12, 12), nn.Conv2d(12, 1, 1))

    def forward(self, t1):
        return t1 + self.body(t1)


class PatchCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(2, 12, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(12, 16, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(16, 1, 3, padding=1))

    def forward(self, t1, t2):
        return self.body(torch.cat([t1, t2], dim=1))


class Player:
    """A network with its own optimizer."""

    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr, betas=(0.5, 0.999))

    def update(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()  # <- culprit


class ContrastTransfer:
    def __init__(self, cfg: TransferConfig):
        self.cfg = cfg
        self.gen = Player(Translator(), cfg.lr_gen)
        self.disc = Player(PatchCritic(), cfg.lr_disc)

    def losses(self, t1, t2):
        fake = self.gen.net(t1)
        on_real = self.disc.net(t1, t2)
        on_fake = self.disc.net(t1, fake.detach())
        judged = self.disc.net(t1, fake)  # <- culprit
        disc = 0.5 * ((on_real - 1).pow(2).mean() + on_fake.pow(2).mean())
        gen = F.l1_loss(fake, t2) + self.cfg.adv_weight * (judged - 1).pow(2).mean()
        return {"disc": disc, "gen": gen}

    def step(self, t1, t2):
        losses = self.losses(t1, t2)
        self.disc.update(losses["disc"])  # <- culprit
        self.gen.update(losses["gen"])
        return {k: v.item() for k, v in losses.items()}


def phantoms(cfg, seed=50):
    g = torch.Generator().manual_seed(seed)
    axis = torch.linspace(-1, 1, cfg.size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    while True:
        centre = 0.4 * torch.randn(cfg.batch, 2, 1, 1, generator=g)
        radius = 0.2 + 0.4 * torch.rand(cfg.batch, 1, 1, generator=g)
        inside = ((xx - centre[:, 0]) ** 2 + (yy - centre[:, 1]) ** 2 < radius ** 2).float()
        t1 = 0.3 + 0.5 * inside + 0.05 * torch.randn(inside.shape, generator=g)
        t2 = 0.9 - 0.6 * inside
        yield t1.unsqueeze(1), t2.unsqueeze(1)


def main(cfg=TransferConfig()):
    torch.manual_seed(3)
    task = ContrastTransfer(cfg)
    for i, (t1, t2) in zip(range(cfg.steps), phantoms(cfg)):
        values = task.step(t1, t2)
        if i % 50 == 0:
            print(i, {k: round(v, 4) for k, v in values.items()})


if __name__ == "__main__":
    main()
