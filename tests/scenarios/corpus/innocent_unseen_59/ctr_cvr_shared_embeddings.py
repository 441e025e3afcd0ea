# gradwatch-corpus: kind=none
"""Click and conversion heads on one embedding, with a gradient-conflict gauge.

The two losses are differentiated one after the other with respect to the shared
tables; the conversion gradient is projected off the click gradient where the two
disagree (PCGrad).  Heads get their ordinary gradients.
"""
import argparse
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class SharedBottom(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.user, self.item = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.cross = nn.Linear(3 * dim, 2 * dim)

    def forward(self, u, i):
        a, b = self.user(u), self.item(i)
        return F.relu(self.cross(torch.cat([a, b, a * b], -1)))


class MultiTask(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.bottom = SharedBottom(users, items, dim)
        self.heads = nn.ModuleDict({t: nn.Linear(2 * dim, 1) for t in ("click", "buy")})

    def losses(self, batch):
        z = self.bottom(batch["user"], batch["item"])
        return {t: F.binary_cross_entropy_with_logits(head(z).squeeze(-1), batch[t])
                for t, head in self.heads.items()}


class ConflictProjection:
    """Strategy object writing `.grad` of the shared and the private parameters."""

    def __init__(self, model):
        self.model = model
        self.shared = list(model.bottom.parameters())
        self.cosines = deque(maxlen=50)

    def gradients(self, losses):
        names = list(losses)
        flat = {}
        for k, name in enumerate(names):
            private = list(self.model.heads[name].parameters())
            last = k == len(names) - 1
            grads = torch.autograd.grad(losses[name], self.shared + private, retain_graph=not last)
            flat[name] = torch.cat([g.reshape(-1) for g in grads[:len(self.shared)]])
            for p, g in zip(private, grads[len(self.shared):]):
                p.grad = g
        return flat

    def __call__(self, losses):
        flat = self.gradients(losses)
        click, buy = flat["click"], flat["buy"]
        dot = torch.dot(click, buy)
        self.cosines.append(dot / (click.norm() * buy.norm() + 1e-12))
        if dot < 0:
            buy = buy - dot / click.dot(click) * click
        total, offset = click + buy, 0
        for p in self.shared:
            p.grad = total[offset:offset + p.numel()].view_as(p)
            offset += p.numel()

    def mean_cosine(self):
        return torch.stack(list(self.cosines)).mean().item()


class Impressions:
    def __init__(self, users, items, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.users, self.items = users, items
        self.taste = torch.randn(users, 4, generator=self.gen)
        self.style = torch.randn(items, 4, generator=self.gen)

    def batch(self, n):
        u = torch.randint(self.users, (n,), generator=self.gen)
        i = torch.randint(self.items, (n,), generator=self.gen)
        affinity = (self.taste[u] * self.style[i]).sum(-1)
        click = (affinity + torch.randn(n, generator=self.gen) > 0).float()
        buy = click * (self.style[i, 0] < 0.5).float()
        return {"user": u, "item": i, "click": click, "buy": buy}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--batch", type=int, default=48)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(4)
    model = MultiTask(200, 120, 8)
    strategy = ConflictProjection(model)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    data = Impressions(200, 120, 5)
    curve = {"click": [], "buy": []}
    for step in range(args.steps):
        losses = model.losses(data.batch(args.batch))
        opt.zero_grad()
        strategy(losses)
        opt.step()
        for name, value in losses.items():
            curve[name].append(value.detach().item())
        if step % 50 == 0:
            tail = {k: round(sum(v[-50:]) / len(v[-50:]), 4) for k, v in curve.items()}
            print(step, tail, f"cos {strategy.mean_cosine():+.3f}")


if __name__ == "__main__":
    main()
