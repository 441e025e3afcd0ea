# gradwatch-corpus: kind=graph-chain
# holder: discounted | self.discounted | learner.discounted
# first-bad: 1
"""Online click-through prediction: a linear learner minimises its discounted regret over a stream."""
import argparse
import collections

import torch
import torch.nn.functional as F

Round = collections.namedtuple("Round", "ctx clicks")


class ClickStream:
    """Contexts from a slowly drifting preference vector."""

    def __init__(self, dim, per_round, drift=0.01):
        self.theta = torch.randn(dim)
        self.dim = dim
        self.per_round = per_round
        self.drift = drift

    def __iter__(self):
        return self

    def __next__(self):
        self.theta = self.theta + self.drift * torch.randn(self.dim)
        ctx = torch.randn(self.per_round, self.dim)
        p = torch.sigmoid(ctx @ self.theta)
        return Round(ctx, torch.bernoulli(p))


class RegretLearner:
    def __init__(self, dim, gamma, lr):
        self.w = torch.zeros(dim, requires_grad=True)
        self.b = torch.zeros((), requires_grad=True)
        self.gamma = gamma
        self.discounted = torch.zeros(())
        self.opt = torch.optim.Adagrad([self.w, self.b], lr=lr)

    def scores(self, ctx):
        return ctx @ self.w + self.b

    def observe(self, rnd):
        logits = self.scores(rnd.ctx)
        loss = F.binary_cross_entropy_with_logits(logits, rnd.clicks)
        self.discounted = self.gamma * self.discounted + loss  # <- culprit
        self.opt.zero_grad()
        self.discounted.backward(retain_graph=True)
        self.opt.step()
        hits = ((logits > 0).float() == rnd.clicks).float().mean()
        return loss.item(), hits.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=400)
    ap.add_argument("--dim", type=int, default=12)
    ap.add_argument("--gamma", type=float, default=0.9)
    args = ap.parse_args()

    torch.manual_seed(21)
    stream = ClickStream(args.dim, per_round=16)
    learner = RegretLearner(args.dim, args.gamma, lr=0.1)
    recent = collections.deque(maxlen=50)
    for i, rnd in zip(range(args.rounds), stream):
        loss, acc = learner.observe(rnd)
        recent.append((loss, acc))
        if (i + 1) % 100 == 0:
            ml = sum(r[0] for r in recent) / len(recent)
            ma = sum(r[1] for r in recent) / len(recent)
            print(f"round {i + 1}: loss {ml:.3f} acc {ma:.3f}")


if __name__ == "__main__":
    main()
