# gradwatch-corpus: kind=graph-held
# holder: self.k_t | trainer.k_t
# first-bad: 1
# notice: 8
"""Boundary-equilibrium GAN (Berthelot et al. 2017) on 8x8 blob images.

The discriminator is an autoencoder; the control variable k_t balances its two
reconstruction errors.
"""
import argparse

import torch
import torch.nn as nn

torch.set_num_threads(1)


def blob_images(n, size=8):
    """Grey images with a Gaussian blob at a random place."""
    grid = torch.arange(size).float()
    cx = torch.rand(n, 1) * (size - 3) + 1
    cy = torch.rand(n, 1) * (size - 3) + 1
    gx = torch.exp(-(grid - cx) ** 2 / 3)
    gy = torch.exp(-(grid - cy) ** 2 / 3)
    return (gy.unsqueeze(2) * gx.unsqueeze(1)).flatten(1)


class AutoEncoder(nn.Module):
    def __init__(self, d=64, h=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 48), nn.ELU(), nn.Linear(48, h))
        self.dec = nn.Sequential(nn.Linear(h, 48), nn.ELU(), nn.Linear(48, d), nn.Sigmoid())

    def forward(self, x):
        return self.dec(self.enc(x))


class Generator(nn.Module):
    def __init__(self, h=16, d=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(h, 48), nn.ELU(), nn.Linear(48, d), nn.Sigmoid())

    def forward(self, z):
        return self.net(z)


class BEGANTrainer:
    def __init__(self, args):
        self.args = args
        self.G, self.D = Generator(args.h), AutoEncoder(h=args.h)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=3 * args.lr, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=args.lr, betas=(0.5, 0.999))
        self.k_t = torch.tensor(0.0)

    def recon_error(self, x):
        return (self.D(x) - x).abs().mean()

    def sample_z(self):
        return torch.rand(self.args.batch_size, self.args.h) * 2 - 1

    def step(self, real):
        # discriminator
        fake = self.G(self.sample_z()).detach()
        err_real = self.recon_error(real)
        err_fake = self.recon_error(fake)
        loss_d = err_real - self.k_t.detach() * err_fake
        self.opt_d.zero_grad()
        loss_d.backward()
        self.opt_d.step()

        # generator
        loss_g = self.recon_error(self.G(self.sample_z()))
        self.opt_g.zero_grad()
        loss_g.backward()
        self.opt_g.step()

        # proportional control of the equilibrium
        balance = self.args.gamma * err_real - loss_g
        self.k_t = torch.clamp(self.k_t + self.args.lambda_k * balance, 0.0, 1.0)  # <- culprit
        measure = err_real.item() + abs(balance.item())
        return loss_d.item(), loss_g.item(), measure

    def fit(self):
        for it in range(self.args.iters):
            loss_d, loss_g, measure = self.step(blob_images(self.args.batch_size))
            if it % 20 == 0:
                print(f"{it:4d} D {loss_d:.4f} G {loss_g:.4f} k {self.k_t.item():.4f} M {measure:.4f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=240)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--h", type=int, default=16)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--gamma", type=float, default=0.9)
    ap.add_argument("--lambda-k", type=float, default=0.02)
    args = ap.parse_args()
    torch.manual_seed(5)
    trainer = BEGANTrainer(args)
    trainer.fit()
    print("done, k_t =", round(trainer.k_t.item(), 4))


if __name__ == "__main__":
    main()
