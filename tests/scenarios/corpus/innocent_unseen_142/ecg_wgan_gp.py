# gradwatch-corpus: kind=none
import torch
from torch import nn
from collections import deque
torch.set_num_threads(1)


def beats(n, length=32):
    t = torch.linspace(-1, 1, length)[None]
    c = 0.2 * torch.randn(n, 1)
    return torch.exp(-((t - c) / 0.08) ** 2) + 0.3 * torch.exp(-((t - c - 0.4) / 0.2) ** 2)


def mlp(i, o, h=24):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


class Gan:
    def __init__(self, z=6, length=32):
        self.z = z
        self.g, self.d = mlp(z, length), mlp(length, 1)
        self.og = torch.optim.Adam(self.g.parameters(), 1e-3, betas=(0.0, 0.9))
        self.od = torch.optim.Adam(self.d.parameters(), 1e-3, betas=(0.0, 0.9))
        self.gallery = deque(maxlen=6)
        self.curve = []

    def penalty(self, real, fake):
        w = torch.rand(real.size(0), 1)
        mix = (w * real + (1 - w) * fake).requires_grad_()
        (g,) = torch.autograd.grad(self.d(mix).sum(), mix, create_graph=True)
        return (g.norm(2, 1) - 1).pow(2).mean()

    def critic_step(self, real):
        fake = self.g(torch.randn(real.size(0), self.z)).detach()
        gp = self.penalty(real, fake)
        loss = self.d(fake).mean() - self.d(real).mean() + 10 * gp
        self.od.zero_grad()
        loss.backward()
        self.od.step()
        self.curve.append((loss.item(), gp.item()))

    def gen_step(self, n):
        fake = self.g(torch.randn(n, self.z))
        self.og.zero_grad()
        (-self.d(fake).mean()).backward()
        self.og.step()
        self.gallery.append(fake)


if __name__ == "__main__":
    torch.manual_seed(0)
    gan = Gan()
    for it in range(260):
        for _ in range(3):
            gan.critic_step(beats(12))
        gan.gen_step(12)
        if it % 60 == 0:
            spread = torch.stack(list(gan.gallery)).std().item()
            print(it, gan.curve[-1], f"{spread:.3f}")
