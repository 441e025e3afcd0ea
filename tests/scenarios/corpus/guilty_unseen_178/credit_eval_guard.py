# gradwatch-corpus: kind=crashed
# first-bad: 41
"""Credit default scorer with a periodic evaluator that can skip thin folds."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class ScorerConfig:
    columns: int = 14
    batch: int = 80
    eval_every: int = 20
    min_defaults: int = 12
    steps: int = 400
    lr: float = 2e-3


class LoanBook:
    def __init__(self, cfg, seed=15):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.beta = torch.randn(cfg.columns, generator=self.gen)

    def slice(self, shift=-1.0):
        x = torch.randn(self.cfg.batch, self.cfg.columns, generator=self.gen)
        p = (x @ self.beta * 0.7 + shift).sigmoid()
        return x, (torch.rand(self.cfg.batch, generator=self.gen) < p).float()

    def fold(self, index):
        return self.slice(shift=-1.0 if index < 2 else -6.0)


class EvalMode:
    """Switches a network to scoring and back."""

    def __init__(self, net):
        self.net = net

    def begin(self):
        self.net.eval()
        torch.set_grad_enabled(False)  # <- culprit

    def end(self):
        torch.set_grad_enabled(True)
        self.net.train()


class FoldEvaluator:
    def __init__(self, cfg, net, book):
        self.cfg, self.net, self.book = cfg, net, book
        self.mode = EvalMode(net)
        self.runs = 0
        self.results = []

    @staticmethod
    def _gini(score, y):
        pos, neg = score[y == 1], score[y == 0]
        return 2 * (pos[:, None] > neg[None]).float().mean().item() - 1

    def evaluate(self):
        self.mode.begin()
        x, y = self.book.fold(self.runs)
        self.runs += 1
        if y.sum() < self.cfg.min_defaults:
            return None  # <- culprit
        gini = self._gini(self.net(x).squeeze(-1), y)
        self.mode.end()
        self.results.append(gini)
        return gini

    def on_step_end(self, step):
        if step % self.cfg.eval_every == 0:
            gini = self.evaluate()
            if gini is not None:
                print(f"step {step} gini {gini:.3f}")


class ScorerTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.book = LoanBook(cfg)
        self.net = nn.Sequential(nn.Linear(cfg.columns, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.hooks = [FoldEvaluator(cfg, self.net, self.book)]

    def train_step(self, x, y):
        loss = F.binary_cross_entropy_with_logits(self.net(x).squeeze(-1), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

    def fit(self):
        for step in range(self.cfg.steps):
            self.train_step(*self.book.slice())
            for hook in self.hooks:
                hook.on_step_end(step)


def main():
    torch.manual_seed(18)
    ScorerTrainer(ScorerConfig()).fit()


if __name__ == "__main__":
    main()
