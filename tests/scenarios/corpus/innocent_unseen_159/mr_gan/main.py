# gradwatch-corpus: kind=none
"""Synthetic MR patches: WGAN with gradient penalty, averaged generator and a pool of old fakes."""
import torch

from nets import Critic, Generator
from parts import Averaged, FakePool, penalty

torch.set_num_threads(1)
torch.manual_seed(66)


def patches(n, batch=10, size=8):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, size), torch.linspace(-1, 1, size), indexing="ij")
    for _ in range(n):
        c = torch.rand(batch, 2, 1, 1) - 0.5
        yield torch.exp(-4 * ((yy - c[:, 0]) ** 2 + (xx - c[:, 1]) ** 2))


class Duel:
    def __init__(self):
        self.g, self.d = Generator(), Critic()
        self.avg = Averaged(self.g, 0.97)
        self.pool = FakePool(20)
        self.og = torch.optim.Adam(self.g.parameters(), lr=2e-3, betas=(0.0, 0.9))
        self.od = torch.optim.Adam(self.d.parameters(), lr=2e-3, betas=(0.0, 0.9))

    def critic(self, real):
        fake = self.pool.swap(self.g.sample(len(real)))
        loss = self.d(fake).mean() - self.d(real).mean() + 5.0 * penalty(self.d, real, fake)
        self.od.zero_grad()
        loss.backward()
        self.od.step()
        return loss.item()

    def generator(self, n):
        self.d.requires_grad_(False)
        loss = -self.d(self.g.sample(n)).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        self.d.requires_grad_(True)
        self.avg.follow(self.g)
        return loss.item()


def main():
    duel = Duel()
    seen = []
    for k, real in enumerate(patches(120)):
        row = [duel.critic(real)]
        if k % 2:
            row.append(duel.generator(len(real)))
            seen.append(row)
        if k % 30 == 29:
            print(k, [round(v, 4) for v in seen[-1]], f"mean px {duel.avg.look(32).mean().item():.4f}")


if __name__ == "__main__":
    main()
