# gradwatch-corpus: kind=none
"""Visemes, words and speaker from mouth crops; conflicting task gradients are projected (PCGrad)."""
from collections import defaultdict, deque
from contextlib import contextmanager

import torch
from torch import nn
import torch.nn.functional as F


class Reverse(torch.autograd.Function):
    """Gradient reversal for the speaker head; the last few calls are kept for inspection."""
    calls = deque(maxlen=8)

    @staticmethod
    def forward(ctx, x, weight):
        ctx.weight = weight
        Reverse.calls.append(ctx)
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.weight * grad, None


class Taps:
    """Forward hooks that note how alive the layers are."""

    def __init__(self, net):
        self.alive = defaultdict(list)
        self.last = {}
        self.handles = [m.register_forward_hook(self._tap(n)) for n, m in net.named_modules() if isinstance(m, nn.ReLU)]

    def _tap(self, name):
        def hook(module, args, out):
            self.last[name] = out
            self.alive[name].append((out > 0).float().mean())
        return hook

    def close(self):
        for h in self.handles:
            h.remove()


@contextmanager
def tapped(net):
    taps = Taps(net)
    try:
        yield taps
    finally:
        taps.close()


class Reader(nn.Module):
    def __init__(self, n_in=30, dim=24, visemes=6, words=10, speakers=4):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, dim), nn.ReLU())
        self.heads = nn.ModuleDict({"viseme": nn.Linear(dim, visemes), "word": nn.Linear(dim, words),
                                    "speaker": nn.Linear(dim, speakers)})

    def forward(self, x, reverse):
        h = self.trunk(x)
        return {n: head(Reverse.apply(h, reverse) if n == "speaker" else h) for n, head in self.heads.items()}


def project(grads):
    out = []
    for i, g in enumerate(grads):
        g = g.clone()
        for j, other in enumerate(grads):
            if i != j and (dot := g @ other) < 0:
                g -= dot / other.pow(2).sum().clamp(min=1e-8) * other
        out.append(g)
    return torch.stack(out).mean(0)


def shared_gradient(losses, params):
    flat = []
    for n, loss in enumerate(losses):
        gs = torch.autograd.grad(loss, params, retain_graph=True)
        flat.append(torch.cat([g.flatten() for g in gs]))
    return project(flat)


def crops(n, batch=24, seed=13):
    g = torch.Generator().manual_seed(seed)
    look = torch.randn(10, 30, generator=g)
    voice = torch.randn(4, 30, generator=g) * 0.5
    for _ in range(n):
        w = torch.randint(10, (batch,), generator=g)
        s = torch.randint(4, (batch,), generator=g)
        yield look[w] + voice[s] + 0.5 * torch.randn(batch, 30, generator=g), {"viseme": w % 6, "word": w, "speaker": s}


def main(n=340):
    torch.set_num_threads(1)
    torch.manual_seed(5)
    net = Reader()
    opt = torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.8)
    trunk = list(net.trunk.parameters())
    with tapped(net) as taps:
        for it, (x, labels) in enumerate(crops(n)):
            out = net(x, reverse=min(0.05, it / 500))
            losses = {k: F.cross_entropy(out[k], y) for k, y in labels.items()}
            shared = shared_gradient(list(losses.values()), trunk)
            opt.zero_grad()
            sum(losses.values()).backward()
            for p, g in zip(trunk, shared.split([p.numel() for p in trunk])):
                p.grad = g.view_as(p)
            opt.step()
            if it % 85 == 0:
                print(it, {k: round(v.item(), 3) for k, v in losses.items()})
    print("alive", {k: round(torch.stack(v).mean().item(), 3) for k, v in taps.alive.items()}, "calls", len(Reverse.calls))


if __name__ == "__main__":
    main()
