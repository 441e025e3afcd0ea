# gradwatch-corpus: kind=none
"""WGAN-GP on mixed tabular data with a history buffer of generated rows."""
import random

import torch
import torch.nn as nn


class RowPool:
    """Image-pool trick (CycleGAN) applied to table rows."""

    def __init__(self, size=40):
        self.size, self.rows = size, []

    def query(self, batch):
        out = []
        for row in batch.detach():
            if len(self.rows) < self.size:
                self.rows.append(row)
                out.append(row)
            elif random.random() > 0.5:
                k = random.randrange(self.size)
                out.append(self.rows[k])
                self.rows[k] = row
            else:
                out.append(row)
        return torch.stack(out)


def net(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def table(n):
    cat = torch.randint(0, 3, (n,))
    onehot = nn.functional.one_hot(cat, 3).float()
    age = 0.5 * torch.randn(n, 1) + cat[:, None].float() - 1
    income = age ** 2 + 0.2 * torch.randn(n, 1)
    return torch.cat([onehot, age, income], 1)


class WGANGP:
    def __init__(self, z=6, dim=5, lam=10.0, n_critic=3):
        self.z, self.lam, self.n_critic = z, lam, n_critic
        self.G, self.D = net(z, dim), net(dim, 1)
        self.og = torch.optim.Adam(self.G.parameters(), 5e-4, betas=(0.0, 0.9))
        self.od = torch.optim.Adam(self.D.parameters(), 5e-4, betas=(0.0, 0.9))
        self.pool = RowPool()
        self.logs = {"w": [], "gp": [], "g": []}
        self.last_fake = None

    def generate(self, n):
        raw = self.G(torch.randn(n, self.z))
        return torch.cat([raw[:, :3].softmax(1), raw[:, 3:]], 1)

    def penalty(self, real, fake):
        a = torch.rand(len(real), 1)
        mix = (a * real + (1 - a) * fake).requires_grad_()
        g = torch.autograd.grad(self.D(mix).sum(), mix, create_graph=True)[0]
        return ((g.norm(dim=1) - 1) ** 2).mean()

    def critic_step(self, real):
        fake = self.pool.query(self.generate(len(real)))
        self.od.zero_grad()
        w = self.D(real).mean() - self.D(fake).mean()
        gp = self.lam * self.penalty(real, fake)
        (-w).backward()
        gp.backward()
        self.od.step()
        self.logs["w"].append(w.detach())
        self.logs["gp"].append(float(gp))

    def generator_step(self, n):
        self.D.requires_grad_(False)
        self.last_fake = self.generate(n)
        loss = -self.D(self.last_fake).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        self.D.requires_grad_(True)
        self.logs["g"].append(loss.item())


def main(iters=450, batch=48):
    random.seed(1)
    torch.manual_seed(1)
    gan = WGANGP()
    for it in range(iters):
        gan.critic_step(table(batch))
        if it % gan.n_critic == gan.n_critic - 1:
            gan.generator_step(batch)
        if it % 90 == 89:
            print(f"{it + 1} W {torch.stack(gan.logs['w'][-50:]).mean():.3f} gp {gan.logs['gp'][-1]:.3f} "
                  f"G {gan.logs['g'][-1]:.3f} mean age {gan.last_fake[:, 3].mean().item():.2f}")


if __name__ == "__main__":
    main()
