# gradwatch-corpus: kind=none
import logging
import logging.handlers

import torch
from torch import nn

from . import plugins  # noqa: F401
from .core import Loom


def rings(n, seed=None):
    g = torch.Generator().manual_seed(seed) if seed is not None else None
    y = torch.randint(0, 3, (n,), generator=g)
    radius = 0.5 + 0.6 * y + 0.15 * torch.randn(n, generator=g)
    angle = 6.2832 * torch.rand(n, generator=g)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], 1), y


def recorder(capacity):
    handler = logging.handlers.MemoryHandler(capacity, flushLevel=logging.ERROR, target=None)
    log = logging.getLogger("loomlet")
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(handler)
    return handler


def main():
    torch.manual_seed(2)
    handler = recorder(5000)
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))
    loom = Loom(model, torch.optim.Adam(model.parameters(), lr=3e-3), nn.CrossEntropyLoss(), {
        "smooth": {"beta": 0.9, "patience": 40},
        "maxnorm": {"limit": 2.5},
        "ema": {"decay": 0.98, "every": 60, "holdout": rings(3000, seed=1)},
    })
    loom.weave(rings(1024) for _ in range(320))
    print("last record:", handler.buffer[-1].getMessage(), "| kept", len(handler.buffer))


if __name__ == "__main__":
    main()
