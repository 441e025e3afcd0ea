# gradwatch-corpus: kind=none
"""Score model with checkpointed blocks under bf16 autocast; hooks gather activation and gradient sizes."""
import copy
from collections import defaultdict, deque

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

STEPS, BS, LEVELS = 110, 96, 20


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.cond = nn.Linear(dim, 2 * dim)
        self.up, self.down = nn.Linear(dim, 3 * dim), nn.Linear(3 * dim, dim)

    def forward(self, h, c):
        scale, shift = self.cond(c).chunk(2, -1)
        return h + self.down(nn.functional.silu(self.up(self.norm(h) * (1 + scale) + shift)))


class ScoreNet(nn.Module):
    def __init__(self, d=4, dim=40, depth=3):
        super().__init__()
        self.inp, self.out = nn.Linear(d, dim), nn.Linear(dim, d)
        self.level = nn.Embedding(LEVELS, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))

    def forward(self, x, lvl):
        h, c = self.inp(x), self.level(lvl)
        for b in self.blocks:
            h = checkpoint(b, h, c, use_reentrant=False) if self.training else b(h, c)
        return self.out(h)


class Watch:
    """Latest output of each block, plus short histories of its size and of its gradient."""

    def __init__(self, net, keep=40):
        self.latest = {}
        self.act = defaultdict(lambda: deque(maxlen=keep))
        self.grad = defaultdict(lambda: deque(maxlen=keep))
        for i, b in enumerate(net.blocks):
            b.register_forward_hook(self.on_forward(i))
            b.register_full_backward_hook(self.on_backward(i))

    def on_forward(self, i):
        def hook(mod, args, out):
            self.latest[i] = out.detach()
            self.act[i].append(self.latest[i].float().pow(2).mean().sqrt())
        return hook

    def on_backward(self, i):
        def hook(mod, gin, gout):
            self.grad[i].append(gout[0].norm().item())
        return hook

    def line(self):
        return " ".join(f"b{i}:{torch.stack(list(a)).mean():.2f}/{sum(self.grad[i]) / len(self.grad[i]):.1e}"
                        for i, a in self.act.items())


def rings(n):
    a = torch.rand(n, 2) * 6.2832
    return torch.cat([a.cos(), a.sin()], 1) * torch.tensor([1.0, 0.5, 1.0, 0.5])


def loss_fn(net, x, sigma, buckets):
    lvl = torch.randint(LEVELS, (len(x),))
    noise = torch.randn_like(x)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        pred = net(x + sigma[lvl, None] * noise, lvl)
    per = (pred.float() - noise).square().mean(1)
    buckets.index_add_(0, lvl, per.detach())
    return per.mean()


def main():
    torch.manual_seed(37)
    sigma = torch.logspace(-1.3, 0.5, LEVELS)
    net = ScoreNet()
    ema = copy.deepcopy(net).requires_grad_(False).eval()
    watch = Watch(net)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    buckets, running = torch.zeros(LEVELS), 0.0
    for step in range(1, STEPS + 1):
        loss = loss_fn(net, rings(BS), sigma, buckets)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        torch._foreach_lerp_(list(ema.parameters()), [p.detach() for p in net.parameters()], 0.05)
        running += (loss.item() - running) / step
        if step % 22 == 0:
            print(f"{step} {running:.3f} {watch.line()}")
    print("hardest level", int(buckets.argmax()))


if __name__ == "__main__":
    main()
