# gradwatch-corpus: kind=none
"""GAN on a ring of Gaussians; one discriminator pass serves both players."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


def ring(n, modes=8):
    k = torch.randint(0, modes, (n,)).float() * 2 * math.pi / modes
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.1 * torch.randn(n, 2)


class JointGAN:
    def __init__(self, z=8, lr=1e-3):
        self.z = z
        self.G = mlp(z, 48, 48, 2)
        self.D = mlp(2, 48, 48, 1)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=lr, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=lr, betas=(0.5, 0.99))
        self.log = {"d": [], "g": []}

    def losses(self, real):
        fake = self.G(torch.randn(len(real), self.z))
        on_real, on_fake = self.D(real), self.D(fake)
        d_loss = F.softplus(-on_real).mean() + F.softplus(on_fake).mean()
        g_loss = F.softplus(-on_fake).mean()
        return d_loss, g_loss

    def update(self, real):
        d_loss, g_loss = self.losses(real)
        d_params, g_params = list(self.D.parameters()), list(self.G.parameters())
        self.opt_d.zero_grad()
        self.opt_g.zero_grad()
        d_loss.backward(inputs=d_params, retain_graph=True)
        g_loss.backward(inputs=g_params)
        self.opt_d.step()
        self.opt_g.step()
        self.log["d"].append(d_loss.item())
        self.log["g"].append(g_loss.item())

    @torch.no_grad()
    def coverage(self, modes=8):
        pts = self.G(torch.randn(512, self.z))
        angle = torch.atan2(pts[:, 1], pts[:, 0])
        bins = (angle / (2 * math.pi / modes)).round().long() % modes
        close = (pts.norm(dim=1) - 2).abs() < 0.5
        return bins[close].unique().numel()


def main(steps=250):
    torch.manual_seed(19)
    gan = JointGAN()
    for step in range(steps):
        gan.update(ring(64))
        if (step + 1) % 50 == 0:
            d, g = (sum(v[-50:]) / 50 for v in gan.log.values())
            print(f"{step + 1:4d}  D {d:.3f}  G {g:.3f}  modes {gan.coverage()}")


if __name__ == "__main__":
    main()
