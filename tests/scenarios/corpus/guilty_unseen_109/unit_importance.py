# gradwatch-corpus: kind=graph-chain
# holder: self.omega | learner.omega | self.imp.omega | learner.importance.omega | self.importance.omega
# first-bad: 1
# notice: 5
"""Continual learning on a sequence of rotated Gaussian-cluster tasks.

Hidden units get an importance weight from how active they are (refreshed every few batches); later
tasks pay for moving important units away from where they were when the previous task ended.
"""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--tasks", type=int, default=4)
    p.add_argument("--iters", type=int, default=70)
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--lam", type=float, default=0.5)
    p.add_argument("--every", type=int, default=5)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


class UnitImportance:
    def __init__(self, n, decay=0.9):
        self.decay = decay
        self.omega = torch.ones(n)
        self.n_updates = 0

    def update(self, act):
        act_sq = act.pow(2).mean(dim=0)
        fresh = act_sq / (act_sq.sum() + 1e-6) * act.shape[1]  # <- culprit
        self.omega = self.decay * self.omega + (1 - self.decay) * fresh  # <- culprit
        self.n_updates += 1


class Learner(nn.Module):
    def __init__(self, d, h, classes, args):
        super().__init__()
        self.enc = nn.Linear(d, h)
        self.head = nn.Linear(h, classes)
        self.importance = UnitImportance(h)
        self.anchor = None
        self.args = args
        self.opt = torch.optim.SGD(self.parameters(), lr=0.05, momentum=0.9)

    def hidden(self, x):
        return torch.tanh(self.enc(x))

    def drift(self):
        if self.anchor is None:
            rows = self.enc.weight.pow(2).mean(1)       # plain decay while there is no anchor yet
            return 1e-2 * (self.importance.omega * rows).sum()
        w0, b0 = self.anchor
        moved = (self.enc.weight - w0).pow(2).sum(1) + (self.enc.bias - b0).pow(2)
        return (self.importance.omega * moved).sum()

    def observe(self, i, x, y):
        act = self.hidden(x)
        loss = F.cross_entropy(self.head(act), y) + self.args.lam * self.drift()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        if i % self.args.every == 0:
            self.importance.update(act)  # <- culprit
        self.opt.step()
        return loss.item()

    def end_task(self):
        self.anchor = (self.enc.weight.detach().clone(), self.enc.bias.detach().clone())


def make_task(k, centers):
    a = k * math.pi / 7
    rot = torch.eye(centers.shape[1])
    rot[0, 0] = rot[1, 1] = math.cos(a)
    rot[0, 1], rot[1, 0] = -math.sin(a), math.sin(a)
    c = centers @ rot

    def draw(n=48):
        y = torch.randint(len(c), (n,))
        return c[y] + 0.5 * torch.randn(n, c.shape[1]), y
    return draw


def main():
    args = get_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    centers = 2 * torch.randn(5, 8)
    learner = Learner(8, args.hidden, 5, args)
    draws = [make_task(k, centers) for k in range(args.tasks)]
    for k, draw in enumerate(draws):
        for i in range(args.iters):
            loss = learner.observe(i, *draw())
        learner.end_task()
        with torch.no_grad():
            accs = []
            for d in draws[: k + 1]:
                x, y = d(200)
                accs.append((learner.head(learner.hidden(x)).argmax(1) == y).float().mean().item())
        print(f"task {k}: loss {loss:.3f} acc " + " ".join(f"{a:.2f}" for a in accs))


if __name__ == "__main__":
    main()
