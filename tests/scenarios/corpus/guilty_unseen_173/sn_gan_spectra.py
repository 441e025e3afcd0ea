# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""GAN for Raman-like spectra; the critic's layers carry a hand-rolled spectral normalisation."""
import torch
import torch.nn as nn
import torch.nn.functional as F

BINS = 64
NOISE = 16


def unit(v):
    return v / (v.norm() + 1e-8)


class SNLinear(nn.Module):
    """Linear layer divided by the largest singular value of its weight (one power iteration per call)."""

    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_out, n_in))
        self.bias = nn.Parameter(torch.zeros(n_out))
        nn.init.orthogonal_(self.weight)
        self.register_buffer("u", unit(torch.randn(n_out)))
        self.register_buffer("v", unit(torch.randn(n_in)))

    def _power_iteration(self):
        with torch.no_grad():
            self.v.copy_(unit(self.weight.t() @ self.u))  # <- culprit
            self.u.copy_(unit(self.weight @ self.v))  # <- culprit

    def forward(self, x):
        if self.training:
            self._power_iteration()
        sigma = torch.dot(self.u, self.weight @ self.v)
        return F.linear(x, self.weight / sigma, self.bias)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = SNLinear(BINS, 64)
        self.l2 = SNLinear(64, 32)
        self.l3 = SNLinear(32, 1)

    def forward(self, s):
        h = F.leaky_relu(self.l1(s), 0.1)
        h = F.leaky_relu(self.l2(h), 0.1)
        return self.l3(h).squeeze(-1)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(NOISE, 64), nn.BatchNorm1d(64), nn.ReLU(),
                                 nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, BINS), nn.Softplus())

    def forward(self, z):
        return self.net(z)


class SpectrumSource:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.axis = torch.linspace(0, 1, BINS)
        self.lines = torch.tensor([0.15, 0.32, 0.55, 0.8])

    def draw(self, n):
        amp = torch.rand(n, 4, 1, generator=self.gen)
        width = 0.01 + 0.02 * torch.rand(n, 4, 1, generator=self.gen)
        center = self.lines.view(1, 4, 1) + 0.01 * torch.randn(n, 4, 1, generator=self.gen)
        peaks = amp * width ** 2 / ((self.axis - center) ** 2 + width ** 2)
        return peaks.sum(1) + 0.02 * torch.rand(n, BINS, generator=self.gen)


class SpectraGAN:
    def __init__(self, lr=2e-4):
        self.g, self.d = Generator(), Critic()
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=lr, betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=2 * lr, betas=(0.0, 0.9))

    def step_critic(self, real):
        with torch.no_grad():
            fake = self.g(torch.randn(len(real), NOISE))
        score_real = self.d(real)
        score_fake = self.d(fake)
        loss = F.relu(1 - score_real).mean() + F.relu(1 + score_fake).mean()
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def step_generator(self, n):
        self.d.requires_grad_(False)
        loss = -self.d(self.g(torch.randn(n, NOISE))).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.d.requires_grad_(True)
        return loss.item()


def main():
    torch.manual_seed(8)
    source = SpectrumSource(9)
    gan = SpectraGAN()
    for it in range(300):
        d_loss = gan.step_critic(source.draw(32))
        g_loss = gan.step_generator(32)
        if it % 30 == 0:
            print(f"{it:4d} critic {d_loss:.3f} generator {g_loss:.3f}")


if __name__ == "__main__":
    main()
