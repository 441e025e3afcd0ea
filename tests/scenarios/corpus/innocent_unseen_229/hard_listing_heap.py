# gradwatch-corpus: kind=none
# Keep the rows the net gets most wrong and feed a few of them back into later batches (tabular comp, stage 2).
import heapq
import itertools
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Hardest:
    def __init__(self, keep, seed):
        self.keep = keep
        self.rng = random.Random(seed)
        self.tie = itertools.count()
        self.heap = []

    def offer(self, x, pred, y):
        err = (pred.detach() - y).abs()
        for i in err.topk(4).indices.tolist():
            entry = (err[i].item(), next(self.tie), x[i].clone(), y[i].clone())
            if len(self.heap) < self.keep:
                heapq.heappush(self.heap, entry)
            else:
                heapq.heapreplace(self.heap, entry)

    def draw(self, n):
        chosen = self.rng.sample(self.heap, n)
        return torch.stack([c[2] for c in chosen]), torch.stack([c[3] for c in chosen])


def demand(n):
    x = torch.rand(n, 6)
    y = torch.sin(6 * x[:, 0]) + x[:, 1] * x[:, 2] - (x[:, 3] > 0.9).float() * 2
    return x, y + 0.05 * torch.randn(n)


def main():
    torch.manual_seed(303)
    net = nn.Sequential(nn.Linear(6, 48), nn.Mish(), nn.Linear(48, 48), nn.Mish(), nn.Linear(48, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    hardest = Hardest(keep=64, seed=303)
    best = {"rmse": float("inf"), "state": None}
    val_x, val_y = demand(800)
    for it in range(160):
        x, y = demand(64)
        if len(hardest.heap) == hardest.keep:
            hx, hy = hardest.draw(12)
            x = torch.cat([x, hx])
            y = torch.cat([y, hy])
        pred = net(x).squeeze(1)
        loss = F.smooth_l1_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hardest.offer(x, pred, y)
        if it % 40 == 39:
            with torch.no_grad():
                rmse = F.mse_loss(net(val_x).squeeze(1), val_y).sqrt().item()
            if rmse < best["rmse"]:
                best["rmse"] = rmse
                best["state"] = {k: v.detach().clone() for k, v in net.state_dict().items()}
            print(f"iter {it + 1} val rmse {rmse:.4f}")
    net.load_state_dict(best["state"])


main()
