# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.optim import Adam


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


class Frozen:
    def __init__(self, net):
        self.net = net

    def __enter__(self):
        self.net.requires_grad_(False)
        return self.net

    def __exit__(self, *exc):
        self.net.requires_grad_(True)


class SampleRing:
    """Some earlier fakes, shown again to the critic."""

    def __init__(self, size, dim):
        self.buf, self.at, self.full = torch.zeros(size, dim), 0, False

    def swap_in(self, x):
        n = len(x)
        if self.at + n > len(self.buf):
            self.at, self.full = 0, True
        self.buf[self.at:self.at + n] = x.detach()
        self.at += n

    def draw(self, n):
        hi = len(self.buf) if self.full else self.at
        return self.buf[torch.randint(0, hi, (n,))]


class WGAN:
    def __init__(self, z=6, d=2):
        self.z = z
        self.G, self.D = mlp(z, 48, d), mlp(d, 48, 1)
        self.og = Adam(self.G.parameters(), 1e-3, betas=(0.5, 0.9))
        self.od = Adam(self.D.parameters(), 1e-3, betas=(0.5, 0.9))
        self.ring = SampleRing(512, d)
        self.log = {"d": [], "g": [], "gp": []}

    def penalty(self, real, fake):
        eps = torch.rand(len(real), 1)
        mid = (eps * real + (1 - eps) * fake).requires_grad_()
        (g,) = torch.autograd.grad(self.D(mid).sum(), mid, create_graph=True)
        return (g.norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.G(torch.randn(len(real), self.z))
        self.ring.swap_in(fake)
        fake = torch.cat([fake[: len(fake) // 2], self.ring.draw(len(fake) - len(fake) // 2)])
        gp = self.penalty(real, fake)
        loss = self.D(fake).mean() - self.D(real).mean() + 10 * gp
        self.od.zero_grad()
        loss.backward()
        self.od.step()
        self.log["d"].append(loss.item())
        self.log["gp"].append(gp.item())

    def generator_step(self, n):
        with Frozen(self.D) as D:
            loss = -D(self.G(torch.randn(n, self.z))).mean()
            self.og.zero_grad()
            loss.backward()
            self.og.step()
        self.log["g"].append(loss.item())


def orbits(n):
    t = 6.2832 * torch.rand(n)
    r = 1 + torch.randint(0, 2, (n,)) + 0.05 * torch.randn(n)
    return torch.stack([r * t.cos(), 0.6 * r * t.sin()], 1)


def main():
    torch.manual_seed(77)
    gan = WGAN()
    for it in range(100):
        for _ in range(3):
            gan.critic_step(orbits(64))
        gan.generator_step(64)
        if it % 25 == 0:
            print(it, {k: round(v[-1], 3) for k, v in gan.log.items()})


if __name__ == "__main__":
    main()
