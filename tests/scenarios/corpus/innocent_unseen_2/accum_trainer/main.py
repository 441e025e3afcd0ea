# gradwatch-corpus: kind=none
"""Gradient accumulation with a trainer class, micro-batches and a running loss."""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
from torch import nn
from accum import AccumTrainer

torch.manual_seed(2)
net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.LayerNorm(32), nn.Linear(32, 3))


def micro(n=8):
    y = torch.randint(0, 3, (n,))
    x = torch.randn(n, 12)
    x[torch.arange(n), y] += 2
    return x, y


trainer = AccumTrainer(net, torch.optim.AdamW(net.parameters(), lr=2e-3), accum=4)
for k in range(130 * 4 + 2):
    trainer.feed(*micro())
trainer.flush()
print("updates", trainer.updates, "curve", [round(v, 3) for v in trainer.curve[::26]])
