# gradwatch-corpus: kind=graph-held
# holder: self.value | meter.value | self.meters["kl"].value | board.meters["kl"].value | self.meters | board.meters | self.meters[name].value | self.board.meters["kl"].value | self.board.meters
# first-bad: 1
"""Beta-VAE on synthetic blob images, with cyclical KL annealing as in Fu et al. 2019."""
import torch

from meters import Scoreboard
from model import ConvFreeVAE, gaussian_kl


def blob_batch(n, side, generator):
    """Two-parameter family of soft blobs on a side x side canvas."""
    axis = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    c = torch.rand(n, 2, generator=generator) * 1.2 - 0.6
    r = 0.1 + 0.2 * torch.rand(n, 1, 1, generator=generator)
    d = (xx - c[:, 0, None, None]) ** 2 + (yy - c[:, 1, None, None]) ** 2
    return torch.exp(-d / r ** 2).flatten(1)


def cyclical_beta(step, period=120, ramp=0.5, top=0.5):
    phase = (step % period) / period
    return top * min(1.0, phase / ramp)


class Trainer:
    def __init__(self, side=12, latent=4, lr=1e-3, free_bits=0.02):
        self.side = side
        self.free_bits = free_bits
        self.vae = ConvFreeVAE(side * side, latent)
        self.opt = torch.optim.AdamW(self.vae.parameters(), lr=lr)
        self.board = Scoreboard(momentum=0.98)
        self.rng = torch.Generator().manual_seed(0)

    def losses(self, x):
        recon, mu, logvar = self.vae(x)
        nll = torch.nn.functional.binary_cross_entropy_with_logits(recon, x, reduction="none").sum(1).mean()
        kl_per_dim = gaussian_kl(mu, logvar).mean(0)
        return nll, kl_per_dim

    def step(self, i, batch_size=48):
        x = blob_batch(batch_size, self.side, self.rng)
        nll, kl_per_dim = self.losses(x)
        beta = cyclical_beta(i)
        loss = nll + beta * kl_per_dim.clamp_min(self.free_bits).sum()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.board.update(nll=nll.item(), beta=beta, kl=kl_per_dim.sum())  # <- culprit

    @torch.no_grad()
    def active_units(self, n=256, threshold=0.01):
        mu, _ = self.vae.encode(blob_batch(n, self.side, self.rng))
        return int((mu.var(0) > threshold).sum())

    def fit(self, steps):
        for i in range(steps):
            self.step(i)
            if (i + 1) % 120 == 0:
                print(f"{i + 1:5d}  {self.board}  active={self.active_units()}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Trainer().fit(480)
