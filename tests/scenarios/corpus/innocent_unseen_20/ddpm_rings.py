# gradwatch-corpus: kind=none
"""Denoising diffusion of three rings in the plane, with importance sampling of the timestep by recent loss
(as in Improved DDPM) and an averaged copy of the weights."""
import math
from functools import lru_cache

import torch
import torch.nn as nn

torch.manual_seed(77)
T = 40
HISTORY = 10


@lru_cache(maxsize=None)
def alpha_bar(steps):
    t = torch.linspace(0, 1, steps + 1)
    f = torch.cos((t + 0.008) / 1.008 * math.pi / 2) ** 2
    return (f / f[0]).clamp(1e-4, 0.9999)[1:]


class Denoiser(nn.Module):
    def __init__(self, w=64):
        super().__init__()
        self.emb = nn.Embedding(T, 16)
        self.net = nn.Sequential(nn.Linear(18, w), nn.SiLU(), nn.Linear(w, w), nn.SiLU(), nn.Linear(w, 2))
        self.activity = {}
        self.net[1].register_forward_hook(lambda mod, args, out: self.activity.update(mean=out))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.emb(t)], -1))

    def pop_activity(self):
        return self.activity.pop("mean").square().mean()


class LossAwareSampler:
    """keeps the last few losses of every timestep in a fixed table"""

    def __init__(self):
        self.table = torch.ones(T, HISTORY)
        self.cursor = torch.zeros(T, dtype=torch.long)

    def sample(self, n):
        p = self.table.square().mean(1).sqrt()
        p = 0.9 * p / p.sum() + 0.1 / T
        t = torch.multinomial(p, n, replacement=True)
        return t, 1 / (T * p[t])

    def update(self, t, losses):
        self.table[t, self.cursor[t]] = losses.detach()
        self.cursor[t] = (self.cursor[t] + 1) % HISTORY


class Averaged:
    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.shadow = {k: v.clone() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def track(self, model):
        for k, v in model.state_dict().items():
            self.shadow[k] *= self.decay
            self.shadow[k] += (1 - self.decay) * v


def rings(n):
    r = torch.tensor([0.5, 1.0, 1.5])[torch.randint(3, (n,))]
    a = 2 * math.pi * torch.rand(n)
    return torch.stack([r * a.cos(), r * a.sin()], 1) + 0.03 * torch.randn(n, 2)


def denoising_losses(model, x0, t):
    ab = alpha_bar(T)[t][:, None]
    eps = torch.randn_like(x0)
    return (model(ab.sqrt() * x0 + (1 - ab).sqrt() * eps, t) - eps).square().mean(1)


@torch.no_grad()
def sample(model, n):
    ab = alpha_bar(T)
    x = torch.randn(n, 2)
    for i in reversed(range(T)):
        prev = ab[i - 1] if i else torch.tensor(1.0)
        eps = model(x, torch.full((n,), i))
        x0 = ((x - (1 - ab[i]).sqrt() * eps) / ab[i].sqrt()).clamp(-3, 3)
        x = prev.sqrt() * x0 + (1 - prev).sqrt() * eps
    model.activity.clear()
    return x


def main(iterations=300):
    model = Denoiser()
    sampler, ema = LossAwareSampler(), Averaged(model)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    total = torch.zeros(())
    for it in range(iterations):
        t, weight = sampler.sample(128)
        losses = denoising_losses(model, rings(128), t)
        sampler.update(t, losses)
        loss = (weight * losses).mean() + 1e-4 * model.pop_activity()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.track(model)
        total += loss.detach()
        if it % 75 == 74:
            print(f"{it + 1}  loss {total.item() / 75:.4f}")
            total.zero_()
    model.load_state_dict(ema.shadow)
    print("mean radius of samples: %.3f" % sample(model, 200).norm(dim=1).mean().item())


if __name__ == "__main__":
    main()
