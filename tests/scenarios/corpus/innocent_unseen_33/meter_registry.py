# gradwatch-corpus: kind=none
"""Classifier whose meters are handed the raw loss tensors."""
from collections import defaultdict, deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self, window=30):
        self.window = deque(maxlen=window)
        self.total, self.n = 0.0, 0

    def update(self, value, k=1):
        value = float(value)
        self.window.append(value)
        self.total += value * k
        self.n += k

    @property
    def mean(self):
        return self.total / max(self.n, 1)

    @property
    def recent(self):
        return sum(self.window) / max(len(self.window), 1)


class MeterRegistry:
    _shared = None

    def __new__(cls):
        if cls._shared is None:
            cls._shared = super().__new__(cls)
            cls._shared.meters = defaultdict(Meter)
            cls._shared.history = []
        return cls._shared

    def log(self, **values):
        for name, v in values.items():
            self.meters[name].update(v)
        self.history.append({k: float(v) for k, v in values.items()})


class Mixer(nn.Module):
    def __init__(self, tokens=8, dim=6, classes=3):
        super().__init__()
        self.tok = nn.Linear(tokens, tokens)
        self.ch = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 24), nn.GELU(), nn.Linear(24, dim))
        self.out = nn.Linear(dim, classes)

    def forward(self, x):
        x = x + self.tok(x.transpose(1, 2)).transpose(1, 2)
        x = x + self.ch(x)
        return self.out(x.mean(1))


def train_one(model, opt, x, y):
    logits = model(x)
    ce = F.cross_entropy(logits, y)
    z = 1e-3 * logits.logsumexp(-1).pow(2).mean()
    loss = ce + z
    opt.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    opt.step()
    MeterRegistry().log(loss=loss, ce=ce, z=z, grad=norm)


def main():
    torch.manual_seed(0)
    x = torch.randn(640, 8, 6)
    y = (x[:, 0].sum(-1) + x[:, 3, 0] * 2).div(2).clamp(-1, 1).round().long() + 1
    loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True, drop_last=True)
    model = Mixer()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for epoch in range(4):
        for xb, yb in loader:
            train_one(model, opt, xb, yb)
        m = MeterRegistry().meters
        print(f"epoch {epoch} " + " ".join(f"{k} {v.recent:.4f}" for k, v in m.items()))
    print(len(MeterRegistry().history), "rows,", f"overall ce {MeterRegistry().meters['ce'].mean:.4f}")


if __name__ == "__main__":
    main()
