# gradwatch-corpus: kind=memory-climb
# holder: self.examples | gallery.examples
# first-bad: 1
"""Variational auto-encoder on synthetic spectra; one reconstruction of every batch goes to a gallery
from which a contact sheet is drawn at the end."""
import torch
from torch import nn
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self, n=128, width=48, latent=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n, width), nn.ELU(), nn.Linear(width, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, width), nn.ELU(), nn.Linear(width, n))

    def forward(self, x):
        mu, log_var = self.enc(x).chunk(2, 1)
        z = mu + torch.randn_like(mu) * (0.5 * log_var).exp()
        return self.dec(z), mu, log_var


class Gallery:
    """One row per batch: little enough to keep for the whole run."""

    def __init__(self, width=128):
        self.width = width
        self.examples = []

    def hang(self, recon, error):
        best = int(error.argmin())
        self.examples.append(recon.detach()[best])  # <- culprit

    def sheet(self, every=20):
        return torch.stack(self.examples[::every])

    def movement(self):
        if len(self.examples) < 2:
            return 0.0
        return (self.examples[-1] - self.examples[-2]).norm().item()


class Spectra:
    def __init__(self, seed, n=128):
        self.g = torch.Generator().manual_seed(seed)
        self.axis = torch.linspace(0, 1, n)

    def batch(self, size=96):
        out = torch.zeros(size, len(self.axis))
        for _ in range(3):
            centre = torch.rand(size, 1, generator=self.g)
            width = 0.02 + 0.05 * torch.rand(size, 1, generator=self.g)
            height = torch.rand(size, 1, generator=self.g)
            out += height * torch.exp(-((self.axis - centre) / width) ** 2)
        return out


class Annealed:
    def __init__(self, optimizer, total):
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, total)
        self.step_no, self.total = 0, total

    @property
    def beta(self):
        return min(1.0, self.step_no / (0.3 * self.total)) * 1e-3

    def advance(self):
        self.sched.step()
        self.step_no += 1


def main(steps=700):
    torch.manual_seed(37)
    vae, data, gallery = VAE(), Spectra(37), Gallery()
    opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
    anneal = Annealed(opt, steps)
    for s in range(steps):
        x = data.batch()
        recon, mu, log_var = vae(x)
        error = (recon - x).pow(2).mean(1)
        kl = -0.5 * (1 + log_var - mu.pow(2) - log_var.exp()).sum(1).mean()
        loss = error.mean() + anneal.beta * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        anneal.advance()
        gallery.hang(recon, error)
        if s % 100 == 0:
            print(f"{s} loss {loss.item():.5f} kl {kl.item():.3f} moved {gallery.movement():.3f}")
    print("sheet", tuple(gallery.sheet().shape))


if __name__ == "__main__":
    main()
