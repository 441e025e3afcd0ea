# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)


def mlp(*dims):
    mods = []
    for a, b in zip(dims, dims[1:]):
        mods += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*mods[:-1])


class WGAN:
    def __init__(self, d=10, z=4, n_critic=3, lam=10.0):
        self.G, self.D = mlp(z, 16, d), mlp(d, 16, 1)
        self.og = torch.optim.Adam(self.G.parameters(), 1e-3, betas=(0.5, 0.9))
        self.od = torch.optim.Adam(self.D.parameters(), 1e-3, betas=(0.5, 0.9))
        self.z, self.n_critic, self.lam = z, n_critic, lam

    def penalty(self, a, b):
        eps = torch.rand(len(a), 1)
        mid = (eps * a + (1 - eps) * b).requires_grad_()
        g, = torch.autograd.grad(self.D(mid).sum(), mid, create_graph=True)
        return (g.norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, real):
        fake = self.G(torch.randn(len(real), self.z)).detach()
        wd = self.D(fake).mean() - self.D(real).mean()
        loss = wd + self.lam * self.penalty(real, fake)
        self.od.zero_grad()
        loss.backward()
        self.od.step()
        return -wd.item()

    def gen_step(self, n):
        loss = -self.D(self.G(torch.randn(n, self.z))).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()


def spectra(n):
    k = torch.linspace(0, 1, 10)
    c = torch.rand(n, 1)
    return torch.exp(-((k - c) ** 2) / 0.02) + 0.02 * torch.randn(n, 10)


torch.manual_seed(0)
gan = WGAN()
for r in range(220):
    for _ in range(gan.n_critic):
        w = gan.critic_step(spectra(16))
    gan.gen_step(16)
    if r % 55 == 0:
        print(r, f"W={w:.3f}")
