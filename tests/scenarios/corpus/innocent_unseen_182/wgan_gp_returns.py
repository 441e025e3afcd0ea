# gradwatch-corpus: kind=none
"""WGAN-GP generating short windows of daily asset returns."""
import torch
import torch.nn as nn


def garch(n, seed):
    g = torch.Generator().manual_seed(seed)
    var, out = 1.0, []
    for e in torch.randn(n, generator=g).tolist():
        r = e * var ** 0.5
        out.append(r)
        var = 0.1 + 0.15 * r * r + 0.75 * var
    return torch.tensor(out)


def net(a, h, b):
    return nn.Sequential(nn.Linear(a, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2),
                         nn.Linear(h, b))


class WGAN:
    def __init__(self, window=16, z=6, lam=10.0, n_critic=3):
        self.z, self.lam, self.n_critic = z, lam, n_critic
        self.G, self.C = net(z, 32, window), net(window, 32, 1)
        self.og = torch.optim.Adam(self.G.parameters(), 5e-4, betas=(0.0, 0.9))
        self.oc = torch.optim.Adam(self.C.parameters(), 5e-4, betas=(0.0, 0.9))
        self.last_fake = None
        self.log = {"w": [], "gp": [], "g": []}

    def penalty(self, real, fake):
        a = torch.rand(real.shape[0], 1)
        mix = (a * real + (1 - a) * fake).requires_grad_()
        score = self.C(mix).sum()
        grad, = torch.autograd.grad(score, mix, create_graph=True, retain_graph=True)
        return (grad.norm(2, dim=1) - 1).pow(2).mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.G(torch.randn(real.shape[0], self.z))
        gap = self.C(real).mean() - self.C(fake).mean()
        gp = self.penalty(real, fake)
        loss = -gap + self.lam * gp
        self.oc.zero_grad()
        loss.backward()
        self.oc.step()
        self.log["w"].append(gap.item())
        self.log["gp"].append(gp.item())

    def generator_step(self, n):
        self.C.requires_grad_(False)
        fake = self.G(torch.randn(n, self.z))
        loss = -self.C(fake).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        self.C.requires_grad_(True)
        self.last_fake = fake
        self.log["g"].append(loss.item())


def kurtosis(x):
    x = (x - x.mean()) / x.std()
    return x.pow(4).mean().item()


def main():
    torch.manual_seed(7)
    windows = garch(3000, 7).unfold(0, 16, 1)
    gan = WGAN()
    for it in range(420):
        for _ in range(gan.n_critic):
            gan.critic_step(windows[torch.randint(0, len(windows), (32,))])
        gan.generator_step(32)
        if it % 70 == 0:
            k = kurtosis(gan.last_fake.detach())
            print(f"{it} W {gan.log['w'][-1]:.3f} gp {gan.log['gp'][-1]:.3f} kurt {k:.2f}")


if __name__ == "__main__":
    main()
