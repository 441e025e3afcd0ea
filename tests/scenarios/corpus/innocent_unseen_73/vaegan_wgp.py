# gradwatch-corpus: kind=none
"""VAE/WGAN-GP hybrid on 2-d mixtures with an adaptive adversarial weight (as in VQGAN) and a pool of past fakes."""
import random
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


@contextmanager
def frozen(module):
    module.requires_grad_(False)
    try:
        yield
    finally:
        module.requires_grad_(True)


class FakePool:
    def __init__(self, size):
        self.size, self.items = size, []

    def mix(self, fakes):
        fakes = fakes.detach()
        old = random.choice(self.items) if self.items else fakes
        self.items.append(fakes)
        if len(self.items) > self.size:
            self.items.pop(0)
        half = fakes.size(0) // 2
        return torch.cat([fakes[:half], old[half:]])


class VAE(nn.Module):
    def __init__(self, zdim=3):
        super().__init__()
        self.zdim = zdim
        self.enc = mlp(2, 48, 2 * zdim)
        self.dec = nn.Sequential(mlp(zdim, 48, 48), nn.LeakyReLU(0.2))
        self.last = nn.Linear(48, 2)

    def decode(self, z):
        return self.last(self.dec(z))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, 1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        kl = -0.5 * (1 + logvar - mu.square() - logvar.exp()).sum(1).mean()
        return self.decode(z), kl


class Solver:
    def __init__(self, iters=160, batch=48, n_critic=2, gp=5.0):
        self.iters, self.batch, self.n_critic, self.gp = iters, batch, n_critic, gp
        self.vae, self.critic = VAE(), mlp(2, 48, 48, 1)
        self.vae_opt = torch.optim.Adam(self.vae.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.pool = FakePool(12)
        self.log = {"rec": [], "kl": [], "w": [], "wdist": []}
        self.rec_avg = None

    def real(self):
        k = torch.randint(0, 5, (self.batch,)) * 2 * torch.pi / 5
        return 1.5 * torch.stack([k.cos(), k.sin()], 1) + 0.1 * torch.randn(self.batch, 2)

    def gradient_penalty(self, real, fake):
        mid = torch.lerp(real, fake, torch.rand(real.size(0), 1)).requires_grad_()
        (g,) = torch.autograd.grad(self.critic(mid).sum(), mid, create_graph=True)
        return (g.norm(dim=1) - 1).square().mean()

    def critic_step(self):
        x = self.real()
        with torch.no_grad():
            fake = self.vae.decode(torch.randn(self.batch, self.vae.zdim))
        fake = self.pool.mix(fake)
        dist = self.critic(x).mean() - self.critic(fake).mean()
        loss = -dist + self.gp * self.gradient_penalty(x, fake)
        self.critic_opt.zero_grad()
        loss.backward()
        self.critic_opt.step()
        self.log["wdist"].append(dist.item())

    def adaptive_weight(self, rec, adv):
        w = self.vae.last.weight
        (a,) = torch.autograd.grad(rec, w, retain_graph=True)
        (b,) = torch.autograd.grad(adv, w, retain_graph=True)
        return (a.norm() / (b.norm() + 1e-4)).clamp(0, 5.0)

    def vae_step(self, it):
        x = self.real()
        with frozen(self.critic):
            xr, kl = self.vae(x)
            rec = F.mse_loss(xr, x)
            adv = -self.critic(xr).mean()
            weight = self.adaptive_weight(rec, adv)
            loss = rec + 0.02 * kl + 0.2 * weight * adv
            self.vae_opt.zero_grad()
            loss.backward()
            self.vae_opt.step()
        self.rec_avg = rec.detach() if self.rec_avg is None else torch.lerp(self.rec_avg, rec.detach(), 0.1)
        for k, v in (("rec", rec), ("kl", kl), ("w", weight)):
            self.log[k].append(v.item())

    def run(self):
        for it in range(self.iters):
            for _ in range(self.n_critic):
                self.critic_step()
            self.vae_step(it)
            if (it + 1) % 40 == 0:
                tail = {k: round(sum(v[-40:]) / len(v[-40:]), 3) for k, v in self.log.items()}
                print(it + 1, tail, f"rec_avg {self.rec_avg.item():.4f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(9)
    random.seed(9)
    Solver().run()
