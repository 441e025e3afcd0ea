# gradwatch-corpus: kind=second-backward
# first-bad: 12
"""Waveform GAN with a gradient penalty on the discriminator every few iterations."""
import torch
from torch import nn
import torch.nn.functional as F

LAZY = 12


def generator():
    return nn.Sequential(nn.Linear(8, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 32), nn.Tanh())


def discriminator():
    return nn.Sequential(nn.Unflatten(1, (1, 32)), nn.Conv1d(1, 8, 5, stride=2), nn.Softplus(),
                         nn.Conv1d(8, 16, 5, stride=2), nn.Softplus(), nn.Flatten(), nn.Linear(80, 1))


def waves(gen, n):
    f = 1 + 3 * torch.rand(n, 1, generator=gen)
    p = 6.28 * torch.rand(n, 1, generator=gen)
    return torch.sin(f * torch.linspace(0, 6.28, 32) + p)


class Game:
    def __init__(self):
        self.G, self.D = generator(), discriminator()
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.5, 0.99))

    def slope(self, points, logits):
        grad, = torch.autograd.grad(logits.sum(), points, create_graph=True)
        return grad.square().sum(1).mean()

    def judge(self, real, fake, lazy):
        if lazy:
            real = real.requires_grad_()
            on_real = self.D(real)
            on_fake = self.D(fake)  # <- culprit
            extra = 0.5 * LAZY * self.slope(real, on_real)
        else:
            on_real, on_fake = self.D(torch.cat([real, fake.detach()])).chunk(2)
            extra = 0.0
        loss = F.softplus(-on_real).mean() + F.softplus(on_fake).mean() + 0.1 * extra
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def forge(self, fake):
        loss = F.softplus(-self.D(fake)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()


def main():
    torch.manual_seed(77)
    gen = torch.Generator().manual_seed(78)
    game = Game()
    record = []
    for it in range(500):
        fake = game.G(torch.randn(24, 8))
        lazy = it > 0 and it % LAZY == 0
        d = game.judge(waves(gen, 24), fake, lazy)
        g = game.forge(fake)
        record.append((d, g))
        if it % 5 == 0:
            print(it, f"D {d:.3f} G {g:.3f}")


if __name__ == "__main__":
    main()
