# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | exp.learner.fast | self.learner.fast | fast
# first-bad: 1
"""Online Meta-SGD on drifting sinusoid regression."""
import argparse

import torch

from learner import MetaSGDLearner
from streams import DriftingSinusoids


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        self.stream = DriftingSinusoids(cfg.batch, cfg.seed)
        self.learner = MetaSGDLearner(hidden=cfg.hidden, meta_lr=cfg.meta_lr)
        self.curve = []

    def run(self):
        for step in range(self.cfg.steps):
            support, query = self.stream.next()
            value = self.learner.observe(support, query)
            self.curve.append(value)
            if step % 20 == 0:
                rates = self.learner.mean_rate()
                print(f"step {step:4d}  query mse {value:.4f}  mean rate {rates:.5f}")
        return self.curve


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=90)
    p.add_argument("--batch", type=int, default=24)
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--meta-lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


if __name__ == "__main__":
    cfg = parse()
    torch.manual_seed(cfg.seed)
    exp = Experiment(cfg)
    curve = exp.run()
    print("last ten:", sum(curve[-10:]) / 10)
