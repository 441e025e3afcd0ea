# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Beta-VAE on synthetic infrared absorption spectra."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def spectra(n, bins=96):
    x = torch.linspace(0, 1, bins)
    total = torch.zeros(n, bins)
    for _ in range(3):
        mu = torch.rand(n, 1)
        width = 0.02 + 0.05 * torch.rand(n, 1)
        height = torch.rand(n, 1)
        total += height * torch.exp(-0.5 * ((x - mu) / width) ** 2)
    return total + 0.01 * torch.randn(n, bins)


class SpectraVAE(nn.Module):
    def __init__(self, bins=96, latent=6, hidden=64):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, hidden), nn.ELU(), nn.Linear(hidden, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ELU(), nn.Linear(hidden, bins))

    def encode(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        return mu, logvar.clamp(-6, 4)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo_terms(x, rec, mu, logvar):
    nll = F.mse_loss(rec, x, reduction="none").sum(-1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1).mean()
    return nll, kl


def beta_at(step, warm=150, top=0.05):
    return top * min(1.0, step / warm)


def train(steps=500, batch=32):
    torch.manual_seed(64)
    data = spectra(1500)
    vae = SpectraVAE()
    opt = torch.optim.Adamax(vae.parameters(), lr=3e-3)
    curve = []
    for step in range(steps):
        x = data[torch.randint(0, len(data), (batch,))]
        rec, mu, logvar = vae(x)
        nll, kl = elbo_terms(x, rec, mu, logvar)
        loss = nll + beta_at(step) * kl
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        curve.append((nll.item(), kl.item()))
        if step % 100 == 99:
            a = torch.tensor(curve[-100:]).mean(0)
            print(f"step {step + 1}: nll {a[0]:.3f} kl {a[1]:.3f}")
    return vae


if __name__ == "__main__":
    train()
