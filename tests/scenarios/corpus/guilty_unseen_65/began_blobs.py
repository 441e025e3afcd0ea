# gradwatch-corpus: kind=second-backward
# holder: self.k | equilibrium.k | self.equilibrium.k | gan.equilibrium.k | k | d_loss
# first-bad: 1
# notice: 1
"""BEGAN (autoencoder discriminator, proportional control of k) on rendered blobs."""
import argparse
import torch
import torch.nn as nn


def blobs(n, size=12):
    c = torch.rand(n, 2, 1, 1) * 0.6 + 0.2
    ax = torch.linspace(0, 1, size)
    yy, xx = torch.meshgrid(ax, ax, indexing="ij")
    d = (xx - c[:, :1]) ** 2 + (yy - c[:, 1:]) ** 2
    return torch.exp(-d / 0.02) * 2 - 1


class Decoder(nn.Module):
    def __init__(self, nz, size, nf=16):
        super().__init__()
        self.size, self.nf = size, nf
        self.fc = nn.Linear(nz, nf * (size // 4) ** 2)
        self.net = nn.Sequential(
            nn.Conv2d(nf, nf, 3, 1, 1), nn.ELU(), nn.Upsample(scale_factor=2),
            nn.Conv2d(nf, nf, 3, 1, 1), nn.ELU(), nn.Upsample(scale_factor=2),
            nn.Conv2d(nf, 1, 3, 1, 1), nn.Tanh(),
        )

    def forward(self, z):
        s = self.size // 4
        return self.net(self.fc(z).view(-1, self.nf, s, s))


class AutoEncoderD(nn.Module):
    def __init__(self, nz, size, nf=16):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(1, nf, 3, 2, 1), nn.ELU(), nn.Conv2d(nf, nf, 3, 2, 1), nn.ELU(),
            nn.Flatten(), nn.Linear(nf * (size // 4) ** 2, nz),
        )
        self.dec = Decoder(nz, size, nf)

    def energy(self, x):
        return (self.dec(self.enc(x)) - x).abs().mean()


class Equilibrium:
    """k_{t+1} = k_t + lambda_k (gamma L(x) - L(G(z))), kept in [0, 1]."""

    def __init__(self, gamma=0.5, lambda_k=0.001):
        self.gamma, self.lambda_k = gamma, lambda_k
        self.k = torch.zeros(())

    def d_loss(self, real, fake):
        return real - self.k * fake

    def step(self, real, fake):
        balance = self.gamma * real - fake
        self.k = torch.clamp(self.k + self.lambda_k * balance, 0.0, 1.0)  # <- culprit
        return (real + balance.abs()).item()


class BEGAN:
    def __init__(self, args):
        self.args = args
        self.G, self.D = Decoder(args.nz, args.size), AutoEncoderD(args.nz, args.size)
        betas = (0.5, 0.999)
        self.opt_g = torch.optim.Adam(self.G.parameters(), args.lr, betas)
        self.opt_d = torch.optim.Adam(self.D.parameters(), args.lr, betas)
        self.equilibrium = Equilibrium(args.gamma)

    def noise(self):
        return torch.rand(self.args.batch, self.args.nz) * 2 - 1

    def iteration(self, x):
        # discriminator
        self.opt_d.zero_grad()
        real = self.D.energy(x)
        fake = self.D.energy(self.G(self.noise()).detach())
        d_loss = self.equilibrium.d_loss(real, fake)
        d_loss.backward()
        self.opt_d.step()

        # generator
        self.opt_g.zero_grad()
        g_loss = self.D.energy(self.G(self.noise()))
        g_loss.backward()
        self.opt_g.step()

        measure = self.equilibrium.step(real, g_loss)  # <- culprit
        return d_loss.item(), g_loss.item(), measure


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=200)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--nz", type=int, default=16)
    ap.add_argument("--size", type=int, default=12)
    ap.add_argument("--gamma", type=float, default=0.5)
    ap.add_argument("--lr", type=float, default=2e-4)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(2024)
    gan = BEGAN(args)
    for i in range(args.iters):
        d, g, m = gan.iteration(blobs(args.batch, args.size))
        if i % 20 == 0:
            print(f"{i}: d {d:.4f} g {g:.4f} M {m:.4f} k {gan.equilibrium.k.item():.4f}")


if __name__ == "__main__":
    main()
