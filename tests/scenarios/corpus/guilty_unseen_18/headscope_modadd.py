# gradwatch-corpus: kind=graph-held
# holder: self.trace | self.trace[name] | scope.trace | scope.trace[name] | trace[name] | row | self.trace[name][-1]
# first-bad: 5
# notice: 25
"""Watches how the attention heads of a one-layer transformer sharpen while it learns (a + b) mod p.

Head entropies are sampled by forward hooks, every few steps, and summarised after the run."""
from __future__ import annotations

import contextlib
from collections import defaultdict

import torch
from torch import nn, Tensor

P = 23


class Heads(nn.Module):
    def __init__(self, d: int, n_heads: int) -> None:
        super().__init__()
        self.n = n_heads
        self.wq = nn.Linear(d, d, bias=False)
        self.wk = nn.Linear(d, d, bias=False)
        self.wv = nn.Linear(d, d, bias=False)
        self.wo = nn.Linear(d, d, bias=False)
        self.pattern = nn.Identity()   # a place to hook on

    def split(self, x: Tensor) -> Tensor:
        b, t, d = x.shape
        return x.view(b, t, self.n, d // self.n).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.split(self.wq(x)), self.split(self.wk(x)), self.split(self.wv(x))
        a = self.pattern((q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1))
        y = (a @ v).transpose(1, 2).reshape(x.shape)
        return self.wo(y)


class ModAdd(nn.Module):
    def __init__(self, d: int = 32, n_heads: int = 4, layers: int = 2) -> None:
        super().__init__()
        self.embed = nn.Embedding(P + 1, d)
        self.pos = nn.Parameter(0.02 * torch.randn(3, d))
        self.attn = nn.ModuleList(Heads(d, n_heads) for _ in range(layers))
        self.mlp = nn.ModuleList(
            nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d)) for _ in range(layers))
        self.unembed = nn.Linear(d, P, bias=False)

    def forward(self, ab: Tensor) -> Tensor:
        eq = torch.full_like(ab[:, :1], P)
        x = self.embed(torch.cat([ab, eq], 1)) + self.pos
        for attn, mlp in zip(self.attn, self.mlp):
            x = x + attn(x)
            x = x + mlp(x)
        return self.unembed(x[:, -1])


class HeadScope:
    """Attach to a model; inside `with scope.sampling(on):` the entropies of all heads are noted."""

    def __init__(self, model: nn.Module) -> None:
        self.trace: dict[str, list[Tensor]] = defaultdict(list)
        self._on = False
        self._handles = [
            mod.pattern.register_forward_hook(self._make_hook(name))
            for name, mod in model.named_modules() if isinstance(mod, Heads)
        ]

    def _make_hook(self, name: str):
        def hook(_module, _inputs, pattern: Tensor) -> None:
            if not self._on:
                return
            row = entropy(pattern[:, :, -1])
            self.trace[name].append(row)  # <- culprit
        return hook

    @contextlib.contextmanager
    def sampling(self, on: bool):
        self._on = on
        try:
            yield self
        finally:
            self._on = False

    def close(self) -> None:
        for h in self._handles:
            h.remove()

    def report(self) -> None:
        with torch.no_grad():
            for name, rows in self.trace.items():
                m = torch.stack(rows)
                first, last = m[:5].mean(0), m[-5:].mean(0)
                print(name, "entropy", [f"{a:.2f}->{b:.2f}" for a, b in zip(first.tolist(), last.tolist())])


def entropy(p: Tensor) -> Tensor:
    """Mean over the batch; one number a head."""
    return -(p * p.clamp_min(1e-9).log()).sum(-1).mean(0)


def split_pairs(frac: float = 0.6) -> tuple[Tensor, Tensor]:
    pairs = torch.cartesian_prod(torch.arange(P), torch.arange(P))
    perm = torch.randperm(len(pairs))
    cut = int(frac * len(pairs))
    return pairs[perm[:cut]], pairs[perm[cut:]]


def main(steps: int = 500, sample_every: int = 5) -> None:
    torch.manual_seed(11)
    train, test = split_pairs()
    model = ModAdd()
    scope = HeadScope(model)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.3)
    for step in range(steps):
        batch = train[torch.randint(len(train), (96,))]
        with scope.sampling(step % sample_every == sample_every - 1):
            logits = model(batch)
        loss = nn.functional.cross_entropy(logits, batch.sum(1) % P)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            with torch.no_grad():
                acc = (model(test).argmax(-1) == test.sum(1) % P).float().mean()
            print(f"{step:5d}  loss {loss.item():.3f}  held-out {acc:.3f}")
    scope.close()
    scope.report()


if __name__ == "__main__":
    main()
