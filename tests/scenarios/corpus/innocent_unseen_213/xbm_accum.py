# gradwatch-corpus: kind=none
from collections import deque
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, i, o=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(i, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, o))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class PairQueue:
    def __init__(self, maxlen):
        self.q = deque(maxlen=maxlen)

    def push(self, za, zb):
        self.q.append((za.detach(), zb.detach()))

    def negatives(self):
        if not self.q:
            return None, None
        a, b = zip(*self.q)
        return torch.cat(a), torch.cat(b)


class EMA:
    def __init__(self, module, decay):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in module.named_parameters()}

    @torch.no_grad()
    def update(self, module):
        for k, v in module.named_parameters():
            self.shadow[k] = self.decay * self.shadow[k] + (1 - self.decay) * v

    @contextmanager
    def swapped(self, module):
        live = {k: v.data for k, v in module.named_parameters()}
        for k, v in module.named_parameters():
            v.data = self.shadow[k]
        try:
            yield module
        finally:
            for k, v in module.named_parameters():
                v.data = live[k]


class CLIPish(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = Tower(20), Tower(28)
        self.logit_scale = nn.Parameter(torch.tensor(2.0))

    def loss(self, xa, xb, queue):
        za, zb = self.a(xa), self.b(xb)
        qa, qb = queue.negatives()
        ka = za if qa is None else torch.cat([za, qa])
        kb = zb if qb is None else torch.cat([zb, qb])
        s = self.logit_scale.exp()
        tgt = torch.arange(za.size(0))
        out = 0.5 * (F.cross_entropy(s * za @ kb.t(), tgt) + F.cross_entropy(s * zb @ ka.t(), tgt))
        queue.push(za, zb)
        return out


def pairs(n, wa, wb):
    z = torch.randn(n, 6)
    return torch.tanh(z @ wa) + 0.1 * torch.randn(n, 20), torch.tanh(z @ wb) + 0.1 * torch.randn(n, 28)


@torch.no_grad()
def retrieval(model, xa, xb):
    return (model.a(xa) @ model.b(xb).t()).argmax(1).eq(torch.arange(len(xa))).float().mean().item()


def main(steps=80, micro=3):
    torch.manual_seed(4)
    wa, wb = torch.randn(6, 20), torch.randn(6, 28)
    model, queue = CLIPish(), PairQueue(8)
    ema = EMA(model, 0.95)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    held = pairs(100, wa, wb)
    running = None
    for step in range(steps):
        total = 0
        for _ in range(micro):
            total = total + model.loss(*pairs(32, wa, wb), queue)
        loss = total / micro
        if step % 20 == 10:
            with ema.swapped(model) as m:
                print(f"step {step} ema R@1 {retrieval(m, *held):.3f}")
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)
        running = loss.detach() if running is None else 0.9 * running + 0.1 * loss.detach()
        if step % 20 == 0:
            print(f"step {step} loss {running.item():.4f}")


if __name__ == "__main__":
    main()
