# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | trainer.smoothed
# first-bad: 1
# notice: 5
"""Matrix factorisation of listening counts with BPR loss; the objective is smoothed over mini-batches."""
import argparse

import torch

torch.set_num_threads(1)
from torch import nn


class BPR(nn.Module):
    def __init__(self, users, tracks, rank):
        super().__init__()
        self.u = nn.Embedding(users, rank)
        self.t = nn.Embedding(tracks, rank)
        self.pop = nn.Embedding(tracks, 1)
        for table in (self.u, self.t):
            nn.init.normal_(table.weight, std=0.1)
        nn.init.zeros_(self.pop.weight)

    def score(self, u, t):
        return (self.u(u) * self.t(t)).sum(-1) + self.pop(t).squeeze(-1)

    def forward(self, u, liked, other):
        margin = self.score(u, liked) - self.score(u, other)
        return -nn.functional.logsigmoid(margin).mean()


class Listening:
    def __init__(self, users, tracks):
        taste = torch.randn(users, 3) @ torch.randn(3, tracks)
        self.order = taste.argsort(dim=1, descending=True)
        self.users, self.tracks = users, tracks

    def draw(self, n):
        u = torch.randint(0, self.users, (n,))
        hi = torch.randint(0, self.tracks // 4, (n,))
        lo = torch.randint(self.tracks // 2, self.tracks, (n,))
        return u, self.order[u, hi], self.order[u, lo]


class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = BPR(args.users, args.tracks, args.rank)
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=args.lr)
        self.smoothed = None

    def compute_loss(self, batch):
        loss = self.model(*batch)
        if self.smoothed is None:
            self.smoothed = loss
        else:
            self.smoothed = self.args.smoothing * self.smoothed + (1 - self.args.smoothing) * loss  # <- culprit
        return self.smoothed

    def run(self, data):
        for i in range(self.args.steps):
            objective = self.compute_loss(data.draw(self.args.batch))
            self.opt.zero_grad()
            objective.backward(retain_graph=True)  # <- culprit
            self.opt.step()
            if i % 50 == 0:
                print(f"iter {i} bpr {objective.item():.4f}")


def get_args(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--users", type=int, default=40)
    ap.add_argument("--tracks", type=int, default=60)
    ap.add_argument("--rank", type=int, default=6)
    ap.add_argument("--lr", type=float, default=0.1)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--steps", type=int, default=165)
    ap.add_argument("--smoothing", type=float, default=0.7)
    return ap.parse_args(argv)


if __name__ == "__main__":
    torch.manual_seed(44)
    args = get_args([])
    Trainer(args).run(Listening(args.users, args.tracks))
