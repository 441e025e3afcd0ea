# gradwatch-corpus: kind=graph-held
# holder: self.hardness | curriculum.hardness
# first-bad: 1
"""Modular addition with a small transformer; examples are drawn by how hard they were last time."""
import argparse

import torch
import torch.nn as nn


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--mod", type=int, default=17)
    ap.add_argument("--steps", type=int, default=160)
    ap.add_argument("--bs", type=int, default=48)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--sharpness", type=float, default=1.0)
    return ap.parse_args()


class HardnessCurriculum:
    """Most recent loss of each example, with importance weights to undo the skewed draw."""

    def __init__(self, n, sharpness, start=3.0):
        self.hardness = torch.full((n,), start)
        self.sharpness = sharpness

    def probs(self):
        h = self.hardness.detach().clamp_min(1e-2) ** self.sharpness
        return h / h.sum()

    def draw(self, k):
        p = self.probs()
        idx = torch.multinomial(p, k, replacement=False)
        w = 1.0 / (p[idx] * len(p))
        return idx, w / w.max()

    def record(self, idx, per_example):
        self.hardness[idx] = per_example  # <- culprit

    def summary(self):
        h = self.hardness.detach()
        return f"hardness mean {h.mean():.2f} p90 {h.quantile(0.9):.2f}"


class AddNet(nn.Module):
    def __init__(self, mod, dim=40):
        super().__init__()
        self.emb = nn.Embedding(mod + 1, dim)
        self.pos = nn.Parameter(0.1 * torch.randn(3, dim))
        self.enc = nn.TransformerEncoderLayer(
            dim, 4, dim_feedforward=80, dropout=0.0, batch_first=True, norm_first=True
        )
        self.out = nn.Linear(dim, mod)
        self.eq = mod

    def forward(self, pairs):
        eq = torch.full((len(pairs), 1), self.eq)
        x = self.emb(torch.cat([pairs, eq], 1)) + self.pos
        return self.out(self.enc(x)[:, -1])


def main():
    args = parse()
    torch.manual_seed(1)
    grid = torch.cartesian_prod(torch.arange(args.mod), torch.arange(args.mod))
    answer = grid.sum(1) % args.mod

    net = AddNet(args.mod)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=0.05)
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 20))
    curriculum = HardnessCurriculum(len(grid), args.sharpness)
    criterion = nn.CrossEntropyLoss(reduction="none", label_smoothing=0.02)

    for step in range(args.steps):
        idx, weight = curriculum.draw(args.bs)
        per_example = criterion(net(grid[idx]), answer[idx])
        opt.zero_grad()
        (weight * per_example).mean().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        warm.step()
        curriculum.record(idx, per_example)  # <- culprit
        if step % 40 == 39:
            with torch.no_grad():
                acc = (net(grid).argmax(-1) == answer).float().mean().item()
            print(f"{step + 1}: acc {acc:.3f} {curriculum.summary()}")


if __name__ == "__main__":
    main()
