# gradwatch-corpus: kind=graph-held
# holder: seen | note.__defaults__ | note.__defaults__[0]
# first-bad: 1
# notice: 8
"""Predict tomorrow's loaves per shop from weekday, weather and last week's sales."""
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)

SHOPS, DAYS = 12, 240


def make_sales():
    day = torch.arange(DAYS).float()
    weekday = torch.stack([(day % 7 == k).float() for k in range(7)], 1)
    temp = 12 + 8 * torch.sin(2 * math.pi * day / 180) + torch.randn(DAYS)
    base = torch.randint(40, 120, (SHOPS,)).float()
    sales = base[None] * (1 + 0.3 * weekday[:, 5:6] - 0.01 * (temp[:, None] - 12))
    sales = sales + torch.randn(DAYS, SHOPS) * 4
    return torch.cat([weekday, temp[:, None] / 20], 1), sales / 100


def batches(feats, sales, size=16):
    order = torch.randperm(DAYS - 7) + 7
    for part in order.split(size):
        lag = sales[part - 7]
        yield torch.cat([feats[part], lag], 1), sales[part]


def build():
    return nn.Sequential(nn.Linear(8 + SHOPS, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, SHOPS))


def note(value, seen=[]):
    seen.append(value)  # <- culprit
    last = seen[-10:]
    return sum(float(v) for v in last) / len(last)


def fit_batch(net, opt, x, y):
    opt.zero_grad()
    loss = F.smooth_l1_loss(net(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    return loss  # <- culprit


def main():
    feats, sales = make_sales()
    net = build()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(6):
        for x, y in batches(feats, sales):
            smooth = note(fit_batch(net, opt, x, y))  # <- culprit
        print(f"epoch {epoch}  error over the last ten batches {smooth:.4f}")


if __name__ == "__main__":
    main()
