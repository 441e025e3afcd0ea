# gradwatch-corpus: kind=none
"""WGAN-GP on a ring of Gaussians."""
import math

import torch
import torch.nn as nn

Z_DIM, N_CRITIC, LAMBDA = 4, 3, 10.0


def ring(n, k=6):
    a = torch.randint(0, k, (n,)).float() * 2 * math.pi / k
    return torch.stack([a.cos(), a.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def make_mlp(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2, inplace=True),
                         nn.Linear(h, h), nn.LeakyReLU(0.2, inplace=True), nn.Linear(h, o))


class WGAN:
    def __init__(self):
        self.G, self.D = make_mlp(Z_DIM, 2), make_mlp(2, 1)
        self.opt_g = torch.optim.Adam(self.G.parameters(), 5e-4, betas=(0.5, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), 5e-4, betas=(0.5, 0.9))
        self.log = {"d": [], "g": [], "gp": []}

    def gradient_penalty(self, real, fake):
        eps = torch.rand(len(real), 1)
        mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
        score = self.D(mixed)
        grads = torch.autograd.grad(score, mixed, torch.ones_like(score),
                                    create_graph=True, retain_graph=True)[0]
        return ((grads.norm(2, dim=1) - 1) ** 2).mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.G(torch.randn(len(real), Z_DIM))
        gp = self.gradient_penalty(real, fake)
        loss = self.D(fake).mean() - self.D(real).mean() + LAMBDA * gp
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        self.log["d"].append(loss.item())
        self.log["gp"].append(gp.item())

    def generator_step(self, n):
        for p in self.D.parameters():
            p.requires_grad_(False)
        loss = -self.D(self.G(torch.randn(n, Z_DIM))).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        for p in self.D.parameters():
            p.requires_grad_(True)
        self.log["g"].append(loss.item())

    @torch.no_grad()
    def mode_coverage(self, n=600, k=6):
        x = self.G(torch.randn(n, Z_DIM))
        a = torch.atan2(x[:, 1], x[:, 0]) % (2 * math.pi)
        sector = torch.round(a / (2 * math.pi / k)).long() % k
        close = (x.norm(dim=1) - 2).abs() < 0.7
        return sector[close].unique().numel(), close.float().mean().item()


def tail(v, n=50):
    return sum(v[-n:]) / max(1, len(v[-n:]))


def main(iters=120, batch=64):
    torch.manual_seed(3)
    gan = WGAN()
    for it in range(1, iters + 1):
        for _ in range(N_CRITIC):
            gan.critic_step(ring(batch))
        gan.generator_step(batch)
        if it % 30 == 0:
            modes, frac = gan.mode_coverage()
            print(f"{it:4d} D {tail(gan.log['d']):+.3f} gp {tail(gan.log['gp']):.3f} "
                  f"G {tail(gan.log['g']):+.3f} modes {modes} near {frac:.2f}")


if __name__ == "__main__":
    main()
