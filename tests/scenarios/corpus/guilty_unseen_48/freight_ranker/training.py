from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Options:
    steps: int = 50
    batch: int = 40
    features: int = 24
    hidden: int = 48
    lr: float = 1e-2


class Scorer(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, hidden), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(hidden, 1, bias=False)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


class PairTrainer:
    def __init__(self, scorer, opts, tracker):
        self.scorer, self.tracker = scorer, tracker
        self.opt = torch.optim.RMSprop(scorer.parameters(), lr=opts.lr * 0.1)

    def step(self, better, worse, margin):
        up, down = self.scorer(better), self.scorer(worse)
        loss = F.margin_ranking_loss(up, down, torch.ones_like(up), margin=margin)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        right = (up > down).float().mean()
        return {"loss": loss, "right": right}  # <- culprit

    def fit(self, pairs, margin):
        self.scorer.train()
        for better, worse in pairs:
            metrics = self.step(better, worse, margin)
            self.tracker.log(**metrics)  # <- culprit
