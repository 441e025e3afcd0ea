# gradwatch-corpus: kind=none
"""MAML for solar yield at many sites. Adapted weights of recent sites are kept for the dispatcher."""
import argparse
import random
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class YieldNet(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.a = nn.Linear(3, hidden)
        self.b = nn.Linear(hidden, hidden)
        self.c = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.c(torch.tanh(self.b(torch.tanh(self.a(x))))).squeeze(-1)


class Site:
    def __init__(self, number):
        r = random.Random(number)
        self.number = number
        self.tilt, self.size, self.shade = r.uniform(-.5, .5), r.uniform(.6, 1.4), r.uniform(0, .5)

    def days(self, n):
        hour, cloud, heat = torch.rand(3, n)
        sun = torch.clamp(torch.sin(3.14 * (hour + 0.2 * self.tilt)), min=0)
        power = self.size * sun * (1 - 0.7 * cloud) * (1 - 0.1 * heat) - self.shade * (hour < 0.3)
        return torch.stack([hour, cloud, heat], dim=1), power + 0.02 * torch.randn(n)


class RecentSites:
    """Least recently used sites fall out."""

    def __init__(self, room):
        self.room = room
        self.weights = OrderedDict()

    def put(self, number, weights):
        self.weights[number] = weights
        self.weights.move_to_end(number)
        while len(self.weights) > self.room:
            self.weights.popitem(last=False)

    def get(self, number):
        if number in self.weights:
            self.weights.move_to_end(number)
        return self.weights.get(number)


class Meta:
    def __init__(self, inner_lr, inner_steps, room):
        self.net = YieldNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.recent = RecentSites(room)

    def adapt(self, site):
        fast = dict(self.net.named_parameters())
        x, y = site.days(12)
        for _ in range(self.inner_steps):
            inner = F.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
            fast = {k: w - self.inner_lr * g for (k, w), g in zip(fast.items(), grads)}
        self.recent.put(site.number, fast)
        return fast

    def meta_step(self, sites):
        losses = []
        for site in sites:
            fast = self.adapt(site)
            x, y = site.days(24)
            losses.append(F.mse_loss(functional_call(self.net, fast, (x,)), y))
        loss = torch.stack(losses).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def forecast(self, site, x):
        weights = self.recent.get(site.number) or dict(self.net.named_parameters())
        return functional_call(self.net, weights, (x,))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=240)
    ap.add_argument("--room", type=int, default=8)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(2)
    rng = random.Random(2)
    park = [Site(n) for n in range(60)]
    meta = Meta(inner_lr=0.1, inner_steps=2, room=args.room)
    for step in range(args.steps):
        loss = meta.meta_step(rng.sample(park, 3))
        if step % 60 == 59:
            known = park[next(reversed(meta.recent.weights))]
            x, y = known.days(50)
            err = F.mse_loss(meta.forecast(known, x), y).item()
            print(f"step {step + 1}: meta {loss:.4f}, site {known.number} forecast {err:.4f}")


if __name__ == "__main__":
    main()
