# gradwatch-corpus: kind=graph-held
# holder: self.load | self.moe.load | model.moe.load | self.router.load | model.moe.router.load | router.load | self._buffers["load"]
# first-bad: 41
"""Sparse mixture of experts that fuses vibration, current and temperature channels of a spindle into a wear estimate.

Routing load is accumulated after the warm-up, because before that the router is close to random anyway."""
import math

import torch
from torch import nn

WARMUP = 40
STEPS = 250


class TopKRouter(nn.Module):
    def __init__(self, dim, n_experts, k=2):
        super().__init__()
        self.k = k
        self.gate = nn.Linear(dim, n_experts, bias=False)
        self.register_buffer("load", torch.zeros(n_experts))
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        probs = self.gate(x).softmax(-1)
        weight, index = probs.topk(self.k, dim=-1)
        weight = weight / weight.sum(-1, keepdim=True)
        if self.training:
            self._account(probs, index)
        return weight, index, probs

    def _account(self, probs, index):
        self.seen += 1
        if self.seen <= WARMUP:
            return
        hits = torch.zeros_like(probs).scatter(1, index, 1.0)
        self.load = self.load + (hits * probs).mean(0)  # <- culprit

    def load_entropy(self):
        p = self.load.detach()
        if p.sum() == 0:
            return float("nan")
        p = p / p.sum()
        return -(p * p.clamp_min(1e-9).log()).sum().item() / math.log(p.numel())


class Expert(nn.Sequential):
    def __init__(self, dim, hidden):
        super().__init__(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))


class SparseMoE(nn.Module):
    def __init__(self, dim, n_experts=6, hidden=24):
        super().__init__()
        self.router = TopKRouter(dim, n_experts)
        self.experts = nn.ModuleList(Expert(dim, hidden) for _ in range(n_experts))

    def forward(self, x):
        weight, index, probs = self.router(x)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            row, slot = (index == e).nonzero(as_tuple=True)
            if row.numel():
                out = out.index_add(0, row, expert(x[row]) * weight[row, slot, None])
        density = torch.zeros_like(probs).scatter(1, index, 1.0).mean(0)
        balance = (density * probs.mean(0)).sum() * len(self.experts)
        return x + out, balance


class WearNet(nn.Module):
    def __init__(self, channels, dim=16):
        super().__init__()
        self.stem = nn.Linear(channels, dim)
        self.moe = SparseMoE(dim)
        self.head = nn.Linear(dim, 1)

    def forward(self, x):
        h, balance = self.moe(torch.tanh(self.stem(x)))
        return self.head(h).squeeze(-1), balance


class WarmupInvSqrt:
    """lr ~ min(t / warmup, sqrt(warmup / t))"""

    def __init__(self, optimizer, peak, warmup):
        self.optimizer, self.peak, self.warmup, self.t = optimizer, peak, warmup, 0

    def __call__(self):
        self.t += 1
        lr = self.peak * min(self.t / self.warmup, math.sqrt(self.warmup / self.t))
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        return lr


def spindle_batch(gen, n=96):
    regime = torch.randint(0, 3, (n,), generator=gen)
    x = torch.randn(n, 9, generator=gen)
    x[:, :3] += regime[:, None].float()
    wear = torch.where(regime == 0, x[:, 3] * x[:, 4], torch.where(regime == 1, x[:, 5].abs(), x[:, 6:9].sum(1)))
    return x, wear


def main():
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(22)
    model = WearNet(9)
    optimizer = torch.optim.Adam(model.parameters())
    schedule = WarmupInvSqrt(optimizer, 4e-3, WARMUP)
    for step in range(STEPS):
        lr = schedule()
        x, wear = spindle_batch(gen)
        estimate, balance = model(x)
        loss = nn.functional.huber_loss(estimate, wear) + 0.01 * balance
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 49:
            print(f"{step + 1:4d} lr {lr:.2e} huber {loss.item():.4f} load entropy {model.moe.router.load_entropy():.3f}")


if __name__ == "__main__":
    main()
