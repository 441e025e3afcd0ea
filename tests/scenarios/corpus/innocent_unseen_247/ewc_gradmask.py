# gradwatch-corpus: kind=none
"""Continual regression with EWC, packed gradient masks (hooks) and a per-task activation cache."""
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn


class Body(nn.Module):
    def __init__(self, d, width, heads):
        super().__init__()
        self.l1 = nn.Linear(d, width)
        self.l2 = nn.Linear(width, width)
        self.heads = nn.ModuleList([nn.Linear(width, 1) for _ in range(heads)])

    def forward(self, x, task):
        h = F.leaky_relu(self.l1(x))
        h = F.leaky_relu(self.l2(h))
        return self.heads[task](h).squeeze(1)


@contextmanager
def masked_gradients(model, masks):
    handles = []
    for name, p in model.named_parameters():
        if name in masks:
            free = 1.0 - masks[name]
            handles.append(p.register_hook(lambda g, free=free: g * free))
    try:
        yield
    finally:
        for h in handles:
            h.remove()


class ActivationCache:
    def __init__(self, module):
        self.rows = []
        self.handle = module.register_forward_hook(self.on_forward)

    def on_forward(self, module, args, out):
        self.rows.append(out.detach().mean(0))

    def flush(self):
        mean = torch.stack(self.rows).mean(0)
        self.rows.clear()
        return mean


class EWC:
    def __init__(self, strength):
        self.strength = strength
        self.fisher = {}
        self.anchor = {}

    def penalty(self, model):
        terms = []
        for name, p in model.named_parameters():
            if name in self.fisher:
                terms.append((self.fisher[name] * (p - self.anchor[name]) ** 2).sum())
        return self.strength * sum(terms) if terms else torch.zeros(())

    def consolidate(self, model, task, data, n=30):
        shared = {k: p for k, p in model.named_parameters() if not k.startswith("heads")}
        totals = {k: torch.zeros_like(p) for k, p in shared.items()}
        for _ in range(n):
            x, y = data(1)
            loss = F.mse_loss(model(x, task), y)
            grads = torch.autograd.grad(loss, list(shared.values()))
            for k, g in zip(totals, grads):
                totals[k] += g ** 2 / n
        for k, f in totals.items():
            self.fisher[k] = self.fisher.get(k, 0) + f
            self.anchor[k] = shared[k].detach().clone()


def make_task(d, gen):
    w = torch.randn(d, generator=gen)
    b = torch.randn((), generator=gen)

    def data(n):
        x = torch.randn(n, d, generator=gen)
        return x, torch.sin(x @ w / 2 + b)

    return data


def unit_mask(model, usage, share=0.1):
    k = max(1, int(share * usage.numel()))
    top = usage.abs().topk(k).indices
    mask = torch.zeros_like(model.l2.weight)
    mask[top] = 1.0
    return {"l2.weight": mask}


def main():
    gen = torch.Generator().manual_seed(44)
    torch.manual_seed(44)
    tasks = [make_task(10, gen) for _ in range(3)]
    model = Body(10, 48, len(tasks))
    ewc = EWC(strength=20.0)
    cache = ActivationCache(model.l2)
    masks = {}
    for t, data in enumerate(tasks):
        opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        with masked_gradients(model, masks):
            for step in range(45):
                x, y = data(40)
                loss = F.mse_loss(model(x, t), y) + ewc.penalty(model)
                opt.zero_grad()
                loss.backward()
                opt.step()
        usage = cache.flush()
        fresh = unit_mask(model, usage)
        masks = {k: torch.maximum(masks.get(k, torch.zeros(())), m) for k, m in fresh.items()}
        ewc.consolidate(model, t, data)
        cache.flush()
        scores = []
        with torch.no_grad():
            for s in range(t + 1):
                x, y = tasks[s](200)
                scores.append(round(F.mse_loss(model(x, s), y).item(), 3))
        cache.flush()
        print("after task", t, "mse", scores)
    cache.handle.remove()


if __name__ == "__main__":
    main()
