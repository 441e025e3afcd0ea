# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Review rating model on a small training backend with pluggable precision strategies."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

STRATEGIES = {}


def strategy(name):
    def inner(cls):
        STRATEGIES[name] = cls
        return cls
    return inner


@dataclass
class BackendConfig:
    strategy: str = "full"
    clip: float = 1.0
    lr: float = 3e-3
    steps: int = 500


class Strategy:
    def prepare(self, loss):
        return loss

    def backward(self, loss):
        self._run(self.prepare(loss))

    def _run(self, loss):
        loss.backward(retain_graph=True)  # <- culprit


@strategy("full")
class FullPrecision(Strategy):
    pass


@strategy("scaled")
class ScaledLoss(Strategy):
    factor = 128.0

    def prepare(self, loss):
        return loss * self.factor


class Backend:
    def __init__(self, cfg, net):
        self.cfg = cfg
        self.net = net
        self.strategy = STRATEGIES[cfg.strategy]()
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)

    def optimize(self, loss):
        self.opt.zero_grad(set_to_none=True)
        self.strategy.backward(loss)
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.cfg.clip)
        self.opt.step()
        return norm.item()


class ReviewFeed:
    def __init__(self, vocab=300, length=16, batch=32, seed=21):
        self.gen = torch.Generator().manual_seed(seed)
        self.tone = torch.randn(vocab, generator=self.gen)
        self.vocab, self.length, self.batch = vocab, length, batch

    def __call__(self):
        tokens = torch.randint(0, self.vocab, (self.batch, self.length), generator=self.gen)
        return tokens, self.tone[tokens].mean(1) * 2 + 3


class RatingNet(nn.Module):
    def __init__(self, vocab=300, dim=16):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.head = nn.Sequential(nn.Linear(dim, 24), nn.LeakyReLU(), nn.Linear(24, 1))

    def forward(self, tokens):
        return 3 + self.head(self.bag(tokens)).squeeze(-1)


class RatingTask:
    def __init__(self, backend, feed):
        self.backend = backend
        self.feed = feed
        self.curve = []

    def step(self):
        tokens, rating = self.feed()
        loss = F.mse_loss(self.backend.net(tokens), rating)
        norm = self.backend.optimize(loss)
        self.curve.append((loss.item(), norm))


def main():
    torch.manual_seed(27)
    cfg = BackendConfig()
    task = RatingTask(Backend(cfg, RatingNet()), ReviewFeed())
    for i in range(cfg.steps):
        task.step()
        if i % 100 == 99:
            mse = sum(c[0] for c in task.curve[-100:]) / 100
            print(f"{i + 1} mse {mse:.4f} grad {task.curve[-1][1]:.3f}")


if __name__ == "__main__":
    main()
