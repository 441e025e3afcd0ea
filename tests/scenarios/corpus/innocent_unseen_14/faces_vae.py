# gradwatch-corpus: kind=none
"""Convolutional VAE for emoticon faces. Warm-up of the KL, an averaged model,
the three best checkpoints, and a few rendered faces remembered."""
import copy
import heapq
import itertools
import math
import random
from collections import OrderedDict, deque

import torch
import torch.nn as nn
import torch.nn.functional as F

SIDE = 16
STEPS = 320


def render(mouth, eye):
    lin = torch.linspace(-1, 1, SIDE)
    y, x = torch.meshgrid(lin, lin, indexing="ij")
    face = ((x ** 2 + y ** 2) < 0.9).float() * 0.5
    curve = 0.4 + 0.25 * (mouth - 3) / 3 * (1 - 4 * x ** 2)
    face[((y - curve).abs() < 0.1) & (x.abs() < 0.5)] = 1.0
    for side in (-1, 1):
        face[((x - 0.35 * side) ** 2 + (y + 0.3) ** 2) < 0.02 * (1 + eye)] = 1.0
    return face[None]


class FaceCache:
    """least recently used faces go out"""

    def __init__(self, size):
        self.size, self.store = size, OrderedDict()

    def get(self, key):
        if key not in self.store:
            self.store[key] = render(*key)
            if len(self.store) > self.size:
                self.store.popitem(last=False)
        self.store.move_to_end(key)
        return self.store[key]


class VAE(nn.Module):
    def __init__(self, latent=5):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(1, 8, 4, stride=2, padding=1), nn.ELU(),
            nn.Conv2d(8, 16, 4, stride=2, padding=1), nn.ELU(), nn.Flatten(),
            nn.Linear(256, 2 * latent))
        self.dec = nn.Sequential(
            nn.Linear(latent, 256), nn.ELU(), nn.Unflatten(1, (16, 4, 4)),
            nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1), nn.ELU(),
            nn.ConvTranspose2d(8, 1, 4, stride=2, padding=1))
        self.register_buffer("z_mean", torch.zeros(latent))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        if self.training:
            self.z_mean.lerp_(z.detach().mean(0), 0.05)
        return self.dec(z), mu, logvar


class BestCheckpoints:
    def __init__(self, keep=3):
        self.keep, self.heap, self.tie = keep, [], itertools.count()

    def offer(self, score, step, model):
        entry = (-score, next(self.tie), {"step": step, "state": copy.deepcopy(model.state_dict())})
        if len(self.heap) < self.keep:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def best(self):
        score, _, entry = max(self.heap, key=lambda e: e[0])
        return -score, entry


def elbo(out, x, mu, logvar, beta):
    rec = F.binary_cross_entropy_with_logits(out, x, reduction="none").sum(dim=(1, 2, 3))
    kl = 0.5 * (mu ** 2 + logvar.exp() - 1 - logvar).sum(1)
    return (rec + beta * kl).mean(), rec.mean(), kl.mean()


def main():
    random.seed(12)
    torch.manual_seed(12)
    cache = FaceCache(20)
    batch = lambda n: torch.stack([cache.get((random.randrange(7), random.randrange(5))) for _ in range(n)])
    model = VAE()
    mean_model = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.98))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    best, window = BestCheckpoints(), deque(maxlen=20)
    valid = batch(32)

    for step in range(STEPS):
        x = batch(16)
        beta = 0.5 * (1 - math.cos(math.pi * min(1.0, step / 200)))
        loss, rec, kl = elbo(*((lambda o: (o[0], x, o[1], o[2]))(model(x))), beta)
        opt.zero_grad()
        loss.backward()
        opt.step()
        mean_model.update_parameters(model)
        window.append({"rec": rec.detach(), "kl": kl.detach()})
        if (step + 1) % 40 == 0:
            mean_model.eval()
            with torch.no_grad():
                out, mu, logvar = mean_model(valid)
                score = elbo(out, valid, mu, logvar, 1.0)[0].item()
            mean_model.train()
            best.offer(score, step, mean_model.module)
            shown = {k: torch.stack([w[k] for w in window]).mean().item() for k in ("rec", "kl")}
            print("step %d  rec %.2f  kl %.2f  valid %.2f" % (step + 1, shown["rec"], shown["kl"], score))
    score, entry = best.best()
    model.load_state_dict(entry["state"])
    print("best %.2f at step %d" % (score, entry["step"]))


if __name__ == "__main__":
    main()
