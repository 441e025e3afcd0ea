# gradwatch-corpus: kind=none
"""WGAN-GP on synthetic flow-cytometry events."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(15)


def events(n):
    pop = torch.randint(0, 3, (n,))
    mu = torch.tensor([[1.0, 0, 0, 2], [0, 2, 1, 0], [2, 2, 0, 1]])
    return torch.asinh(mu[pop] + 0.3 * torch.randn(n, 4))


def mlp(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


class WGAN:
    def __init__(self, z=8, n_critic=3, gp=10.0):
        self.z, self.n_critic, self.gp = z, n_critic, gp
        self.G, self.D = mlp(z, 4), mlp(4, 1)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.history = {"w": [], "gp": [], "g": []}

    def fake(self, n):
        return self.G(torch.randn(n, self.z))

    def penalty(self, real, fake):
        eps = torch.rand(len(real), 1)
        mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
        score = self.D(mix)
        (g,) = torch.autograd.grad(score.sum(), mix, create_graph=True, retain_graph=True)
        return (g.norm(2, dim=1) - 1).square().mean()

    def critic_step(self, real):
        fake = self.fake(len(real)).detach()
        wass = self.D(real).mean() - self.D(fake).mean()
        gp = self.penalty(real, fake)
        self.opt_d.zero_grad()
        (-wass + self.gp * gp).backward()
        self.opt_d.step()
        self.history["w"].append(wass.item())
        self.history["gp"].append(float(gp.detach()))

    def generator_step(self, n):
        self.D.requires_grad_(False)
        loss = -self.D(self.fake(n)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.D.requires_grad_(True)
        self.history["g"].append(loss.item())

    @torch.no_grad()
    def marginal_gap(self, n=256):
        return (events(n).mean(0) - self.fake(n).mean(0)).abs().mean().item()


def main():
    gan = WGAN()
    for it in range(40):
        for _ in range(gan.n_critic):
            gan.critic_step(events(64))
        gan.generator_step(64)
        if it % 10 == 9:
            h = gan.history
            print(f"it {it + 1}: w {h['w'][-1]:.3f} gp {h['gp'][-1]:.3f} gap {gan.marginal_gap():.3f}")


if __name__ == "__main__":
    main()
