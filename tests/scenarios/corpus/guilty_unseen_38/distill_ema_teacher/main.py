# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | ema.shadow | trainer.ema.shadow | self.shadow[name] | self.ema.shadow
# first-bad: 1
"""Semi-supervised two-moons: a student taught by a running average of itself."""
import argparse
import math
import random

import numpy as np
import torch
import torch.nn.functional as F

from ema import ShadowWeights
from nets import StudentNet, make_moons


class Trainer:
    def __init__(self, args):
        self.args = args
        self.net = StudentNet(width=args.width)
        self.ema = ShadowWeights(self.net, decay=args.decay)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=args.lr, weight_decay=1e-4)
        self.step = 0

    def consistency_weight(self):
        ramp = min(1.0, self.step / self.args.rampup)
        return self.args.max_weight * math.exp(-5.0 * (1.0 - ramp) ** 2)

    def jitter(self, x):
        return x + self.args.noise * torch.randn_like(x)

    def train_step(self, labelled, unlabelled):
        self.ema.update(self.net)  # <- culprit

        x, y = labelled
        supervised = F.cross_entropy(self.net(self.jitter(x)), y)

        student = F.log_softmax(self.net(self.jitter(unlabelled)), dim=-1)
        teacher = F.softmax(self.ema.predict(self.jitter(unlabelled)), dim=-1)  # <- culprit
        consistency = F.kl_div(student, teacher, reduction="batchmean")

        loss = supervised + self.consistency_weight() * consistency
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        self.step += 1
        return {"sup": supervised.item(), "cons": consistency.item()}

    @torch.no_grad()
    def accuracy(self, x, y):
        return (self.ema.predict(x).argmax(-1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--width", type=int, default=48)
    ap.add_argument("--decay", type=float, default=0.95)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--noise", type=float, default=0.08)
    ap.add_argument("--rampup", type=int, default=40)
    ap.add_argument("--max-weight", type=float, default=2.0)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()

    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)

    pool_x, pool_y = make_moons(1200)
    few = torch.randperm(len(pool_x))[:24]
    test_x, test_y = make_moons(400)

    trainer = Trainer(args)
    for i in range(args.steps):
        pick = few[torch.randint(len(few), (16,))]
        free = torch.randint(len(pool_x), (96,))
        logs = trainer.train_step((pool_x[pick], pool_y[pick]), pool_x[free])
        if i % 20 == 0 or i == args.steps - 1:
            acc = trainer.accuracy(test_x, test_y)
            print(f"[{i:03d}] sup {logs['sup']:.3f} cons {logs['cons']:.4f} teacher acc {acc:.3f}")


if __name__ == "__main__":
    main()
