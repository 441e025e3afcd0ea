# gradwatch-corpus: kind=graph-held
# holder: self.level[name] | self.level | gauges.level | glaciologist.gauges.level
# first-bad: 1
"""Beta-VAE on synthetic glacier elevation profiles with smoothed gauges for the console."""
import math

import torch
from torch import nn

PLAN = {
    "profile": 64,
    "latent": 6,
    "width": 96,
    "batch": 32,
    "expeditions": 130,
    "beta_max": 0.4,
    "beta_period": 40,
    "decoder": "residual",
}

DECODERS = {}


def decoder(label):
    def keep(cls):
        DECODERS[label] = cls
        return cls

    return keep


def survey(batch, length):
    s = torch.linspace(0, 1, length)
    snout = 0.5 + 0.4 * torch.rand(batch, 1)
    steep = 0.5 + 2.0 * torch.rand(batch, 1)
    crevasse = 0.05 * torch.sin(30 * s + 6 * torch.rand(batch, 1))
    height = torch.relu(snout - s) ** 0.5 * steep + crevasse
    return height


class Decoder(nn.Module):
    def __init__(self, plan):
        super().__init__()
        self.plan = plan


@decoder("plain")
class PlainDecoder(Decoder):
    def __init__(self, plan):
        super().__init__(plan)
        self.net = nn.Sequential(nn.Linear(plan["latent"], plan["width"]), nn.ELU(), nn.Linear(plan["width"], plan["profile"]))

    def forward(self, z):
        return self.net(z)


@decoder("residual")
class ResidualDecoder(PlainDecoder):
    def __init__(self, plan):
        super().__init__(plan)
        self.slope = nn.Linear(plan["latent"], 2)

    def forward(self, z):
        base, tilt = self.slope(z).chunk(2, dim=1)
        along = torch.linspace(0, 1, self.plan["profile"])
        return super().forward(z) + base + tilt * along


class GlacierVAE(nn.Module):
    def __init__(self, plan):
        super().__init__()
        self.drill = nn.Sequential(nn.Linear(plan["profile"], plan["width"]), nn.ELU())
        self.core = nn.Linear(plan["width"], 2 * plan["latent"])
        self.rebuild = DECODERS[plan["decoder"]](plan)

    def forward(self, height):
        mean, log_var = self.core(self.drill(height)).chunk(2, dim=1)
        z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
        kl = 0.5 * (mean ** 2 + log_var.exp() - 1 - log_var).sum(1).mean()
        return self.rebuild(z), kl


class Gauges:
    """Exponentially smoothed read-outs."""

    def __init__(self, damping=0.96):
        self.damping = damping
        self.level = {}

    def feed(self, **readings):
        for name, value in readings.items():
            if name not in self.level:
                self.level[name] = value  # <- culprit
            else:
                self.level[name] = self.damping * self.level[name] + (1 - self.damping) * value  # <- culprit

    def line(self):
        return "  ".join(f"{name}={value.item():.3f}" for name, value in self.level.items())


class Glaciologist:
    def __init__(self, plan):
        self.plan = plan
        self.vae = GlacierVAE(plan)
        self.gauges = Gauges()
        self.pick = torch.optim.NAdam(self.vae.parameters(), lr=2e-3)

    def beta(self, trip):
        place = (trip % self.plan["beta_period"]) / self.plan["beta_period"]
        return self.plan["beta_max"] * 0.5 * (1 - math.cos(math.pi * min(1.0, 2 * place)))

    def trip(self, trip):
        height = survey(self.plan["batch"], self.plan["profile"])
        rebuilt, kl = self.vae(height)
        rubble = (rebuilt - height).pow(2).sum(1).mean()
        bound = rubble + self.beta(trip) * kl
        self.pick.zero_grad()
        bound.backward()
        self.pick.step()
        self.gauges.feed(bound=bound, rubble=rubble, kl=kl)  # <- culprit


def main():
    torch.manual_seed(8)
    glaciologist = Glaciologist(PLAN)
    for trip in range(PLAN["expeditions"]):
        glaciologist.trip(trip)
        if (trip + 1) % 26 == 0:
            print(f"[{trip + 1:3d}] {glaciologist.gauges.line()}")


if __name__ == "__main__":
    main()
