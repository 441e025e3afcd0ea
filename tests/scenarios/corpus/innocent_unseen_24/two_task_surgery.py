# gradwatch-corpus: kind=none
"""Gradient surgery for a shared trunk with a window of micro-batches and deferred reports."""
import collections
import itertools

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

HEADS = {}


def head(name, share=1.0):
    def wrap(cls):
        cls.task, cls.share = name, share
        HEADS[name] = cls
        return cls
    return wrap


@head("shape")
class ShapeHead(nn.Linear):
    def __init__(self, dim):
        super().__init__(dim, 5)

    def loss(self, z, batch):
        return nn.functional.cross_entropy(self(z), batch["shape"])


@head("depth", share=0.5)
class DepthHead(nn.Linear):
    def __init__(self, dim):
        super().__init__(dim, 1)

    def loss(self, z, batch):
        return nn.functional.huber_loss(self(z).squeeze(-1), batch["depth"])


class Shared(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.stem = nn.Linear(16, dim)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
            for _ in range(2))
        self.heads = nn.ModuleDict({k: cls(dim) for k, cls in HEADS.items()})

    def trunk_parameters(self):
        return [*self.stem.parameters(), *self.blocks.parameters()]

    def forward(self, x):
        z = self.stem(x)
        for b in self.blocks:
            z = z + checkpoint(b, z, use_reentrant=False)
        return z


class Deferred:
    """Report lines are formatted when the window closes, not in the hot loop."""

    def __init__(self):
        self._lines = []

    def add(self, fn):
        self._lines.append(fn)

    def flush(self, out=print):
        while self._lines:
            out(self._lines.pop(0)())


def scenes(n, bs=48):
    proj = torch.randn(16, 6)
    for _ in range(n):
        x = torch.randn(bs, 16)
        f = x @ proj / 4
        yield x, {"shape": f[:, :5].argmax(1), "depth": torch.tanh(f[:, 5])}


def surgery(gs):
    flat = [torch.cat([g.flatten() for g in task]) for task in gs]
    out = [f.clone() for f in flat]
    for i, j in itertools.permutations(range(len(flat)), 2):
        dot = out[i] @ flat[j]
        if dot < 0:
            out[i] -= dot / flat[j].square().sum() * flat[j]
    return sum(out)


def close_window(net, opt, window):
    losses = {t: torch.stack([w[t] for w in window]).mean() * h.share for t, h in net.heads.items()}
    trunk = net.trunk_parameters()
    opt.zero_grad()
    grads = []
    for k, (task, loss) in enumerate(losses.items(), start=1):
        params = trunk + list(net.heads[task].parameters())
        g = torch.autograd.grad(loss, params, retain_graph=k < len(losses))
        grads.append(g[:len(trunk)])
        for p, gp in zip(net.heads[task].parameters(), g[len(trunk):]):
            p.grad = gp
    merged = surgery(grads)
    for p, chunk in zip(trunk, merged.split([p.numel() for p in trunk])):
        p.grad = chunk.view_as(p)
    opt.step()
    return {t: v.detach() for t, v in losses.items()}


def main():
    torch.manual_seed(30)
    net, reports, window = Shared(), Deferred(), collections.deque()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    step = 0
    for x, batch in scenes(420):
        z = net(x)
        window.append({t: h.loss(z, batch) for t, h in net.heads.items()})
        if len(window) == 3:
            vals = close_window(net, opt, window)
            window.clear()
            if step % 20 == 0:
                reports.add(lambda s=step, v=vals: f"step {s} " + " ".join(f"{k} {x.item():.4f}" for k, x in v.items()))
            if step % 60 == 59:
                reports.flush()
            step += 1
    reports.flush()


if __name__ == "__main__":
    main()
