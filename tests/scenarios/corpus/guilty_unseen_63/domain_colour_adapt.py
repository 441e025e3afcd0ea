# gradwatch-corpus: kind=inplace-modified
# holder: self.critic.net[2].weight | adapter.critic.net[2].weight | self.critic.net[0].weight | adapter.critic.net[0].weight | loss_backbone
# first-bad: 0
# notice: 0
"""Adapt a small defect classifier from studio images to factory-floor images.

A domain critic tells studio features from floor features; the backbone is trained
to classify the studio images and to make the critic fail on the floor images.
"""
import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    steps: int = 80
    batch: int = 16
    classes: int = 4
    adv_weight: float = 0.1
    lr_backbone: float = 1e-3
    lr_critic: float = 5e-4


class DefectImages:
    """One grey pattern per class; the floor domain has a colour cast and lower contrast."""

    def __init__(self, classes, size=12):
        self.patterns = torch.rand(classes, 1, size, size)
        self.cast = torch.tensor([0.3, 0.0, -0.2]).view(1, 3, 1, 1)

    def studio(self, n):
        y = torch.randint(0, len(self.patterns), (n,))
        x = self.patterns[y].expand(-1, 3, -1, -1)
        return x + 0.1 * torch.randn_like(x), y

    def floor(self, n):
        x, y = self.studio(n)
        return 0.6 * x + self.cast, y


class Backbone(nn.Module):
    def __init__(self, classes, dim=32):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 12, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(12, 16, 3, stride=2, padding=1), nn.ReLU(),
            nn.Flatten(), nn.Linear(16 * 9, dim))
        self.classifier = nn.Linear(dim, classes)

    def forward(self, x):
        f = self.features(x)
        return f, self.classifier(f)


class DomainCritic(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))

    def forward(self, f):
        return self.net(f).squeeze(1)


class Adapter:
    def __init__(self, cfg):
        self.cfg = cfg
        self.backbone = Backbone(cfg.classes)
        self.critic = DomainCritic()
        self.opt_backbone = torch.optim.Adam(self.backbone.parameters(), lr=cfg.lr_backbone)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=cfg.lr_critic)

    def critic_loss(self, f_studio, f_floor):
        real = self.critic(f_studio.detach())
        fake = self.critic(f_floor.detach())
        return (F.binary_cross_entropy_with_logits(real, torch.ones_like(real))
                + F.binary_cross_entropy_with_logits(fake, torch.zeros_like(fake)))

    def confusion_loss(self, f_floor):
        """Floor features should be taken for studio features."""
        score = self.critic(f_floor)
        return F.binary_cross_entropy_with_logits(score, torch.ones_like(score))

    def step(self, x_studio, y_studio, x_floor):
        f_studio, logits = self.backbone(x_studio)
        f_floor, _ = self.backbone(x_floor)

        loss_critic = self.critic_loss(f_studio, f_floor)
        loss_cls = F.cross_entropy(logits, y_studio)
        loss_backbone = loss_cls + self.cfg.adv_weight * self.confusion_loss(f_floor)  # <- culprit

        self.opt_critic.zero_grad()
        loss_critic.backward()
        self.opt_critic.step()  # <- culprit

        self.opt_backbone.zero_grad()
        loss_backbone.backward()  # <- culprit
        self.opt_backbone.step()
        return loss_cls.item(), loss_critic.item()

    @torch.no_grad()
    def accuracy(self, x, y):
        self.backbone.eval()
        _, logits = self.backbone(x)
        self.backbone.train()
        return (logits.argmax(1) == y).float().mean().item()


def run(cfg):
    data = DefectImages(cfg.classes)
    adapter = Adapter(cfg)
    for step in range(cfg.steps):
        xs, ys = data.studio(cfg.batch)
        xf, _ = data.floor(cfg.batch)
        cls, critic = adapter.step(xs, ys, xf)
        if step % 20 == 0:
            acc = adapter.accuracy(*data.floor(64))
            print(f"step {step}: cls {cls:.3f} critic {critic:.3f} floor acc {acc:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--adv-weight", type=float, default=0.1)
    ns = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    run(Config(steps=ns.steps, adv_weight=ns.adv_weight))
