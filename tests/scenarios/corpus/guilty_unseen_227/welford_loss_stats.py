# gradwatch-corpus: kind=graph-held
# holder: self.m | self.s | METERS[key] | METERS["mse"].m | METERS["mse"].s | METERS["kld"].m | METERS["kld"].s | METERS
# first-bad: 1
"""Beta-VAE on synthetic spectra, with Welford statistics of each loss term."""
import torch
import torch.nn as nn

torch.manual_seed(8)


class Welford:
    __slots__ = ("n", "m", "s")

    def __init__(self):
        self.n = 0
        self.m = 0.0
        self.s = 0.0

    def push(self, value):
        self.n += 1
        delta = value - self.m
        self.m = self.m + delta / self.n  # <- culprit
        self.s = self.s + delta * (value - self.m)  # <- culprit

    @property
    def std(self):
        return (self.s / max(1, self.n - 1)) ** 0.5


class SpectraVAE(nn.Module):
    def __init__(self, bands=40, latent=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bands, 32), nn.ELU(), nn.Linear(32, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, 32), nn.ELU(), nn.Linear(32, bands))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def spectra(n, bands=40):
    axis = torch.linspace(0, 1, bands)
    centre = torch.rand(n, 2, 1)
    width = 0.03 + 0.05 * torch.rand(n, 2, 1)
    peaks = torch.exp(-((axis - centre) / width) ** 2)
    return peaks.sum(dim=1) + 0.02 * torch.randn(n, bands)


METERS = {"mse": Welford(), "kld": Welford()}


def elbo_terms(model, x):
    recon, mu, logvar = model(x)
    mse = (recon - x).pow(2).sum(-1).mean()
    kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1).mean()
    return {"mse": mse, "kld": kld}


def main(steps=130, beta=0.5):
    model = SpectraVAE()
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for step in range(steps):
        terms = elbo_terms(model, spectra(64))
        loss = terms["mse"] + beta * terms["kld"]
        opt.zero_grad()
        loss.backward()
        opt.step()
        for key, term in terms.items():
            METERS[key].push(term)  # <- culprit
        if (step + 1) % 26 == 0:
            parts = []
            for key, w in METERS.items():
                parts.append(f"{key} {float(w.m):.3f} +- {float(w.std):.3f}")
            print(step + 1, " | ".join(parts))


main()
