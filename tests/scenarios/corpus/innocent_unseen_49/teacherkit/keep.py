from typing import NamedTuple

import torch


class Kept(NamedTuple):
    score: torch.Tensor
    step: int
    weights: dict


class BestKeeper:
    def __init__(self, size):
        self.size, self.kept = size, []

    def offer(self, step, score, net):
        self.kept.append(Kept(score, step, {k: v.clone() for k, v in net.state_dict().items()}))
        self.kept = sorted(self.kept, key=lambda k: float(k.score))[:self.size]


class EarlyStop:
    def __init__(self, patience):
        self.patience, self.best, self.stale = patience, torch.tensor(float("inf")), 0

    def check(self, step, score, net):
        if score < self.best:
            self.best, self.stale = score, 0
        else:
            self.stale += 1
        return self.stale > self.patience
