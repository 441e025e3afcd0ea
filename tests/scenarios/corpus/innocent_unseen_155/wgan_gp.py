# gradwatch-corpus: kind=none
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(9)


def net(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, o))


def gaussians(n, k=5):
    a = torch.randint(0, k, (n,)) * (6.2832 / k)
    return torch.stack([a.cos(), a.sin()], 1) + 0.05 * torch.randn(n, 2)


class WganGp:
    def __init__(self, z=3, lam=5.0, n_critic=2):
        self.g, self.d = net(z, 2), net(2, 1)
        self.z, self.lam, self.n_critic = z, lam, n_critic
        self.opt_g = torch.optim.Adam(self.g.parameters(), 1e-3, betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.d.parameters(), 1e-3, betas=(0.0, 0.9))
        self.old_fakes = deque(maxlen=8)

    def fake(self, n):
        return self.g(torch.randn(n, self.z))

    def penalty(self, real, fake):
        eps = torch.rand(len(real), 1)
        mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
        grad = torch.autograd.grad(self.d(mid).sum(), mid, create_graph=True)[0]
        return (grad.norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, real):
        fake = self.fake(len(real)).detach()
        self.old_fakes.append(fake)
        past = torch.cat(list(self.old_fakes))
        past = past[torch.randperm(len(past))[: len(real)]]
        loss = self.d(past).mean() - self.d(real).mean() + self.lam * self.penalty(real, fake)
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def gen_step(self, n):
        for p in self.d.parameters():
            p.requires_grad_(False)
        loss = -self.d(self.fake(n)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        for p in self.d.parameters():
            p.requires_grad_(True)
        return loss.item()


def main():
    gan = WganGp()
    log = []
    for it in range(60):
        w = [gan.critic_step(gaussians(64)) for _ in range(gan.n_critic)]
        log.append((w[-1], gan.gen_step(64)))
        if it % 20 == 19:
            with torch.no_grad():
                r = gan.fake(256).norm(dim=1).mean()
            print(it, [round(v, 3) for v in log[-1]], round(r.item(), 3))


main()
