# gradwatch-corpus: kind=inplace-modified
# first-bad: 2
"""Energy landscape of coral larvae settlement with an amortised sampler trained next to it."""
import torch
from torch import nn

REEF = {
    "traits": 5,
    "noise": 8,
    "width": 48,
    "larvae": 64,
    "energy_every": 3,
    "tides": 120,
    "leash": 0.05,
}


def settle(count, traits):
    depth = torch.rand(count, 1)
    light = torch.exp(-3 * depth)
    rest = torch.tanh(torch.randn(count, traits - 2) * 0.4 + light)
    return torch.cat([depth, light, rest], dim=1)


class Landscape(nn.Module):
    def __init__(self, reef):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(reef["traits"], reef["width"]),
            nn.SiLU(),
            nn.Linear(reef["width"], reef["width"]),
            nn.SiLU(),
            nn.Linear(reef["width"], 1),
        )

    def forward(self, larva):
        return self.net(larva).squeeze(1)


class Drifter(nn.Module):
    def __init__(self, reef):
        super().__init__()
        self.noise = reef["noise"]
        self.net = nn.Sequential(
            nn.Linear(reef["noise"], reef["width"]),
            nn.LeakyReLU(0.1),
            nn.Linear(reef["width"], reef["traits"]),
        )

    def forward(self, count):
        return self.net(torch.randn(count, self.noise))


class Reef:
    def __init__(self, options):
        self.options = options
        self.landscape = Landscape(options)
        self.drifter = Drifter(options)
        self.carve = torch.optim.Adam(self.landscape.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.drift = torch.optim.Adam(self.drifter.parameters(), lr=1e-3, betas=(0.5, 0.9))

    def contrast(self, larvae, drifted):
        settled = self.landscape(larvae)
        afloat = self.landscape(drifted.detach())
        leash = self.options["leash"] * (settled.pow(2) + afloat.pow(2)).mean()
        return settled.mean() - afloat.mean() + leash

    def tide(self, number):
        larvae = settle(self.options["larvae"], self.options["traits"])
        drifted = self.drifter(self.options["larvae"])
        spread = drifted.std(0).clamp(max=0.5).mean()
        climb = self.landscape(drifted).mean() - 0.5 * spread  # <- culprit
        if number % self.options["energy_every"] == 2:
            gap = self.contrast(larvae, drifted)
            self.carve.zero_grad()
            gap.backward()
            self.carve.step()  # <- culprit
        self.drift.zero_grad()
        climb.backward()  # <- culprit
        self.drift.step()
        return climb.item()


def main():
    torch.manual_seed(42)
    reef = Reef(REEF)
    for number in range(REEF["tides"]):
        climb = reef.tide(number)
        print(f"tide {number:3d} climb {climb:.4f}")


if __name__ == "__main__":
    main()
