# gradwatch-corpus: kind=none
import torch
from torch import nn


def requires_grad(m, flag):
    for p in m.parameters():
        p.requires_grad_(flag)


class WGAN:
    def __init__(self, gp_every=2, n_critic=3, gp_weight=5.0):
        self.g = nn.Sequential(nn.Linear(4, 48), nn.ELU(), nn.Linear(48, 48), nn.ELU(), nn.Linear(48, 2))
        self.d = nn.Sequential(nn.Linear(2, 48), nn.Softplus(), nn.Linear(48, 48), nn.Softplus(), nn.Linear(48, 1))
        self.og = torch.optim.Adam(self.g.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.od = torch.optim.Adam(self.d.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.gp_every, self.n_critic, self.gp_weight = gp_every, n_critic, gp_weight
        self.pl_mean = torch.zeros(())
        self.pool = []
        self.calls = 0

    def penalty(self, real, fake):
        mix = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_()
        (gr,) = torch.autograd.grad(self.d(mix).sum(), mix, create_graph=True)
        return (gr.norm(dim=1) - 1).pow(2).mean()

    def critic(self, real):
        requires_grad(self.d, True)
        with torch.no_grad():
            fake = self.g(torch.randn(len(real), 4))
        if self.pool:
            k = len(real) // 4
            fake[:k] = self.pool[torch.randint(0, len(self.pool), ()).item()][:k]
        loss = self.d(fake).mean() - self.d(real).mean()
        total = loss
        if self.calls % self.gp_every == 0:
            total = total + self.gp_weight * self.gp_every * self.penalty(real, fake)
        self.calls += 1
        self.od.zero_grad()
        total.backward()
        self.od.step()
        return -loss.detach()

    def path_length(self, z, x):
        (j,) = torch.autograd.grad((x * torch.randn_like(x)).sum(), z, create_graph=True)
        lengths = j.pow(2).sum(1).add(1e-8).sqrt()
        mean = self.pl_mean.lerp(lengths.mean(), 0.05)
        self.pl_mean = mean.detach()
        return (lengths - mean).pow(2).mean()

    def generator(self, n):
        requires_grad(self.d, False)
        z = torch.randn(n, 4, requires_grad=True)
        x = self.g(z)
        loss = -self.d(x).mean() + 0.1 * self.path_length(z, x)
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        self.pool = (self.pool + [x.detach()])[-10:]
        return loss.detach()


def ring(n):
    a = torch.randint(0, 6, (n,)) * 1.0472
    return torch.stack([a.cos(), a.sin()], 1) + 0.05 * torch.randn(n, 2)


if __name__ == "__main__":
    torch.manual_seed(77)
    gan = WGAN()
    w = []
    for it in range(100):
        w.append(sum(gan.critic(ring(64)) for _ in range(gan.n_critic)) / gan.n_critic)
        gan.generator(64)
        if len(w) == 25:
            print(f"it {it} wdist {torch.stack(w).mean():.4f} pl {gan.pl_mean.item():.3f}")
            w = []
