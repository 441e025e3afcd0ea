# gradwatch-corpus: kind=graph-held
# holder: stopper.scores | self.scores | trainer.stopper.scores | self.stopper.scores
# first-bad: 5
# notice: 30
# also: graph-unused
"""Store-level sales regression with periodic validation and early stopping."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    n_train: int = 2048
    n_val: int = 256
    features: int = 24
    hidden: int = 48
    batch_size: int = 32
    epochs: int = 7
    eval_every: int = 5
    patience: int = 1000
    lr: float = 3e-3
    seed: int = 11


class EarlyStopping:
    def __init__(self, patience, min_delta=1e-4):
        self.patience = patience
        self.min_delta = min_delta
        self.best = float("inf")
        self.bad = 0
        self.scores = []

    def step(self, score):
        self.scores.append(score)  # <- culprit
        if float(score) < self.best - self.min_delta:
            self.best, self.bad = float(score), 0
        else:
            self.bad += 1
        return self.bad >= self.patience

    def trend(self, k=5):
        if len(self.scores) < 2 * k:
            return 0.0
        recent = sum(float(s) for s in self.scores[-k:]) / k
        before = sum(float(s) for s in self.scores[-2 * k:-k]) / k
        return recent - before


def make_data(cfg):
    g = torch.Generator().manual_seed(cfg.seed)
    x = torch.randn(cfg.n_train + cfg.n_val, cfg.features, generator=g)
    w = torch.randn(cfg.features, 1, generator=g)
    y = torch.tanh(x @ w * 0.3) + 0.1 * torch.randn(len(x), 1, generator=g)
    return (x[:cfg.n_train], y[:cfg.n_train]), (x[cfg.n_train:], y[cfg.n_train:])


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        train, self.val = make_data(cfg)
        self.loader = DataLoader(TensorDataset(*train), cfg.batch_size, shuffle=True)
        self.model = nn.Sequential(
            nn.Linear(cfg.features, cfg.hidden), nn.GELU(),
            nn.Linear(cfg.hidden, cfg.hidden), nn.GELU(), nn.Linear(cfg.hidden, 1))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.criterion = nn.SmoothL1Loss()
        self.stopper = EarlyStopping(cfg.patience)
        self.global_step = 0

    def validate(self):
        self.model.eval()
        x, y = self.val
        score = self.criterion(self.model(x), y)  # <- culprit
        self.model.train()
        return score

    def train_step(self, x, y):
        loss = self.criterion(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    def fit(self):
        for epoch in range(self.cfg.epochs):
            total = 0.0
            for x, y in self.loader:
                total += self.train_step(x, y)
                self.global_step += 1
                if self.global_step % self.cfg.eval_every == 0:
                    if self.stopper.step(self.validate()):  # <- culprit
                        print("stopping early at", self.global_step)
                        return
            print(f"epoch {epoch}: train {total / len(self.loader):.4f} "
                  f"val {self.stopper.best:.4f} trend {self.stopper.trend():+.5f}")


if __name__ == "__main__":
    Trainer(Config()).fit()
