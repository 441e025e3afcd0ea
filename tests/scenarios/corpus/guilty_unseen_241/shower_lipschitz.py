# gradwatch-corpus: kind=graph-held
# holder: self.slope_ema | meter.slope_ema | self.meter.slope_ema | duel.meter.slope_ema
# first-bad: 1
"""Adversarial generator for calorimeter shower profiles with a gradient-penalised critic."""
import torch
from torch import nn


class ShowerProfiles:
    def __init__(self, layers=24, seed=12):
        self.layers = layers
        self.rng = torch.Generator().manual_seed(seed)
        self.depth = torch.linspace(0.2, 6.0, layers)

    def batch(self, n):
        energy = 0.5 + torch.rand(n, 1, generator=self.rng)
        shape = 2.0 + energy + 0.2 * torch.randn(n, 1, generator=self.rng)
        profile = self.depth.pow(shape) * torch.exp(-self.depth / (0.5 + 0.1 * energy))
        profile = profile / profile.sum(dim=1, keepdim=True)
        return energy, profile * self.layers


class Cascade(nn.Module):
    def __init__(self, layers, noise=8):
        super().__init__()
        self.noise = noise
        self.net = nn.Sequential(
            nn.Linear(noise + 1, 48),
            nn.LeakyReLU(0.2),
            nn.Linear(48, layers),
            nn.Softplus(),
        )

    def forward(self, energy):
        z = torch.randn(energy.shape[0], self.noise)
        return self.net(torch.cat([z, energy], dim=1))


class Referee(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(layers + 1, 48), nn.Tanh(), nn.Linear(48, 1))

    def forward(self, energy, profile):
        return self.net(torch.cat([profile, energy], dim=1)).squeeze(-1)


class SlopeMeter:
    """Smoothed norm of the critic's input gradient."""

    def __init__(self, beta=0.95):
        self.beta = beta
        self.slope_ema = None

    def update(self, slopes):
        mean = slopes.mean()
        if self.slope_ema is None:
            self.slope_ema = mean
        else:
            self.slope_ema = self.beta * self.slope_ema + (1 - self.beta) * mean  # <- culprit

    def __str__(self):
        return f"{self.slope_ema.item():.3f}"


class Duel:
    def __init__(self, rounds_per_gen=3):
        self.data = ShowerProfiles()
        self.cascade = Cascade(self.data.layers)
        self.referee = Referee(self.data.layers)
        self.opt_c = torch.optim.Adam(self.cascade.parameters(), 1e-3, betas=(0.0, 0.9))
        self.opt_r = torch.optim.Adam(self.referee.parameters(), 1e-3, betas=(0.0, 0.9))
        self.meter = SlopeMeter()
        self.rounds_per_gen = rounds_per_gen

    def slopes(self, energy, real, fake):
        mix = torch.rand(real.shape[0], 1)
        between = (mix * real + (1 - mix) * fake).requires_grad_()
        score = self.referee(energy, between)
        g, = torch.autograd.grad(score.sum(), between, create_graph=True)
        return g.norm(dim=1)

    def referee_round(self):
        energy, real = self.data.batch(64)
        with torch.no_grad():
            fake = self.cascade(energy)
        slopes = self.slopes(energy, real, fake)
        gap = self.referee(energy, fake).mean() - self.referee(energy, real).mean()
        loss = gap + 10 * (slopes - 1).pow(2).mean()
        self.opt_r.zero_grad()
        loss.backward()
        self.opt_r.step()
        self.meter.update(slopes)  # <- culprit
        return gap.item()

    def cascade_round(self):
        energy, _ = self.data.batch(64)
        self.referee.requires_grad_(False)
        loss = -self.referee(energy, self.cascade(energy)).mean()
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        self.referee.requires_grad_(True)
        return loss.item()

    def rounds(self, n):
        for r in range(n):
            gap = self.referee_round()
            if r % self.rounds_per_gen == self.rounds_per_gen - 1:
                self.cascade_round()
            yield r, gap


def main():
    torch.manual_seed(12)
    duel = Duel()
    for r, gap in duel.rounds(180):
        if r % 30 == 0:
            print(f"round {r:3d} gap {gap:+.4f} slope {duel.meter}")


if __name__ == "__main__":
    main()
