# gradwatch-corpus: kind=graph-held
# holder: smooth
# first-bad: 1
"""Day-ahead electricity load forecast for one substation: a week of hourly readings in,
24 hours out. Quantile (pinball) loss at 10/50/90 percent."""
import math
import time

import numpy as np
import torch
import torch.nn as nn

SEED = 20
HOURS_IN = 168
HOURS_OUT = 24
QUANTS = (0.1, 0.5, 0.9)
BATCH = 32
STEPS = 450

torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)

# ---- two synthetic years of hourly load -------------------------------------------------
n = 24 * 365 * 2
t = np.arange(n)
load = (
    60.0
    + 14.0 * np.sin(2 * math.pi * (t - 7) / 24)
    + 5.0 * np.sin(2 * math.pi * t / 168)
    + 11.0 * np.cos(2 * math.pi * t / (24 * 365))
    + rng.normal(0, 2.0, size=n)
)
mu, sd = load.mean(), load.std()
series = torch.tensor((load - mu) / sd, dtype=torch.float32)
split = int(n * 0.85)


def sample(lo, hi, size):
    starts = rng.integers(lo, hi - HOURS_IN - HOURS_OUT, size=size)
    xs = torch.stack([series[s:s + HOURS_IN] for s in starts])
    ys = torch.stack([series[s + HOURS_IN:s + HOURS_IN + HOURS_OUT] for s in starts])
    return xs, ys


def pinball(pred, target):
    # pred: B x Q x H
    out = 0.0
    for i, q in enumerate(QUANTS):
        d = target - pred[:, i]
        out = out + torch.maximum(q * d, (q - 1) * d).mean()
    return out / len(QUANTS)


net = nn.Sequential(
    nn.Linear(HOURS_IN, 96),
    nn.ReLU(),
    nn.Dropout(0.1),
    nn.Linear(96, 64),
    nn.ReLU(),
    nn.Linear(64, len(QUANTS) * HOURS_OUT),
    nn.Unflatten(1, (len(QUANTS), HOURS_OUT)),
)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=STEPS)

smooth = None
best = float("inf")
began = time.time()

for step in range(STEPS):
    net.train()
    x, y = sample(0, split, BATCH)
    loss = pinball(net(x), y)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    sched.step()

    if smooth is None:
        smooth = loss
    else:
        smooth = smooth * 0.98 + loss * 0.02  # <- culprit

    if step % 50 == 0:
        net.eval()
        with torch.no_grad():
            vx, vy = sample(split, n, 128)
            p = net(vx)
            val = pinball(p, vy).item()
            inside = ((vy > p[:, 0]) & (vy < p[:, 2])).float().mean().item()
        best = min(best, val)
        print(f"{step:4d}  train {smooth:.4f}  val {val:.4f}  coverage {inside:.2%}  "
              f"lr {sched.get_last_lr()[0]:.5f}  {time.time() - began:.1f}s")

print(f"best validation pinball {best:.4f}")
