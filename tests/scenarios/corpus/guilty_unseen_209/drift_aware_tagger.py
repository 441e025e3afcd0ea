# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | anchor.shadow
# first-bad: 1
import argparse
from typing import Dict, Protocol

import torch
import torch.nn as nn
import torch.nn.functional as F

REGULARIZERS: Dict[str, type] = {}


def register(name: str):
    def wrap(cls):
        REGULARIZERS[name] = cls
        return cls
    return wrap


class Regularizer(Protocol):
    def penalty(self) -> torch.Tensor: ...
    def advance(self) -> None: ...


@register("none")
class Zero:
    def __init__(self, model: nn.Module, **kw):
        self.zero = torch.zeros(())

    def penalty(self):
        return self.zero

    def advance(self):
        pass


@register("slow-anchor")
class SlowAnchor:
    """Pulls the chosen weights towards their own exponential average."""

    def __init__(self, model: nn.Module, match: str = "emb", momentum: float = 0.95):
        self.tracked = {n: p for n, p in model.named_parameters() if match in n}
        self.shadow = {n: p.detach().clone() for n, p in self.tracked.items()}
        self.momentum = momentum

    def penalty(self) -> torch.Tensor:
        gaps = [F.mse_loss(p, self.shadow[n]) for n, p in self.tracked.items()]
        return torch.stack(gaps).sum()

    def advance(self) -> None:
        m = self.momentum
        for n, p in self.tracked.items():
            self.shadow[n] = torch.lerp(self.shadow[n], p, 1 - m)  # <- culprit


class Tagger(nn.Module):
    def __init__(self, vocab: int, tags: int, d: int = 24):
        super().__init__()
        self.emb_word = nn.Embedding(vocab, d)
        self.emb_shape = nn.Embedding(5, d)
        self.ctx = nn.Conv1d(d, 2 * d, 3, padding=1)
        self.out = nn.Linear(d, tags)

    def forward(self, w, s):
        x = (self.emb_word(w) + self.emb_shape(s)).transpose(1, 2)
        return self.out(F.glu(self.ctx(x), dim=1).transpose(1, 2))


def sentences(step: int, vocab: int, tags: int, n: int = 12, length: int = 15):
    g = torch.Generator().manual_seed(1000 + step)
    low = (step * vocab) // 2000
    w = torch.randint(low, low + vocab // 2, (n, length), generator=g)
    left = F.pad(w, (1, 0))[:, :-1]
    return w, (w * 13) % 5, (w + left // 7) % tags


def run(cfg) -> None:
    torch.manual_seed(cfg.seed)
    model = Tagger(cfg.vocab, cfg.tags)
    anchor: Regularizer = REGULARIZERS[cfg.reg](model)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    hits = seen = 0
    for step in range(cfg.steps):
        w, s, y = sentences(step, cfg.vocab, cfg.tags)
        logits = model(w, s)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten()) + cfg.weight * anchor.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        anchor.advance()
        hits += (logits.argmax(-1) == y).sum().item()
        seen += y.numel()
        if (step + 1) % 90 == 0:
            print(f"{step + 1:4d}  loss {loss.item():.3f}  acc {hits / seen:.3f}")
            hits = seen = 0


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--reg", choices=sorted(REGULARIZERS), default="slow-anchor")
    ap.add_argument("--weight", type=float, default=2.0)
    ap.add_argument("--vocab", type=int, default=160)
    ap.add_argument("--tags", type=int, default=7)
    ap.add_argument("--steps", type=int, default=450)
    ap.add_argument("--seed", type=int, default=3)
    run(ap.parse_args())
