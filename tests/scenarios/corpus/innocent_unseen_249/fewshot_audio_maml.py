# gradwatch-corpus: kind=none
"""Few-shot filter identification: inner adaptation with second-order meta gradients."""
from dataclasses import dataclass
from typing import Dict
from typing import NamedTuple

import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F


@dataclass
class MetaConfig:
    taps: int = 8
    hidden: int = 24
    shots: int = 16
    tasks: int = 3
    inner_steps: int = 2
    inner_lr: float = 0.1
    meta_lr: float = 2e-3
    iterations: int = 80


class Episode(NamedTuple):
    support_x: torch.Tensor
    support_y: torch.Tensor
    query_x: torch.Tensor
    query_y: torch.Tensor


class FilterEpisodes:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(93)

    def sample(self):
        cfg = self.cfg
        kernel = torch.randn(cfg.taps, 1, generator=self.gen) / cfg.taps ** 0.5
        x = torch.randn(2 * cfg.shots, cfg.taps, generator=self.gen)
        y = torch.tanh(x @ kernel)
        return Episode(x[:cfg.shots], y[:cfg.shots], x[cfg.shots:], y[cfg.shots:])


class InnerLearner:
    def __init__(self, module, steps, lr):
        self.module = module
        self.steps = steps
        self.lr = lr
        self.fast: Dict[str, torch.Tensor] = {}

    def __enter__(self):
        self.fast = dict(self.module.named_parameters())
        return self

    def __exit__(self, *exc):
        self.fast = {}
        return False

    def predict(self, x):
        return functional_call(self.module, self.fast, (x,))

    def adapt(self, x, y):
        for _ in range(self.steps):
            loss = F.mse_loss(self.predict(x), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            pairs = zip(self.fast.items(), grads)
            self.fast = {name: value - self.lr * g for (name, value), g in pairs}


class MetaRunner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = nn.Sequential(
            nn.Linear(cfg.taps, cfg.hidden),
            nn.Tanh(),
            nn.Linear(cfg.hidden, 1),
        )
        self.inner = InnerLearner(self.net, cfg.inner_steps, cfg.inner_lr)
        self.episodes = FilterEpisodes(cfg)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=cfg.meta_lr)
        self.curve = []

    def iteration(self):
        meta_loss = 0.0
        for _ in range(self.cfg.tasks):
            episode = self.episodes.sample()
            with self.inner as learner:
                learner.adapt(episode.support_x, episode.support_y)
                outcome = F.mse_loss(learner.predict(episode.query_x), episode.query_y)
            meta_loss = meta_loss + outcome / self.cfg.tasks
        self.optimizer.zero_grad()
        meta_loss.backward()
        self.optimizer.step()
        self.curve.append(float(meta_loss.detach()))


def main():
    torch.manual_seed(92)
    runner = MetaRunner(MetaConfig())
    for it in range(runner.cfg.iterations):
        runner.iteration()
        if (it + 1) % 20 == 0:
            recent = runner.curve[-20:]
            print(f"meta {it + 1} query mse {sum(recent) / len(recent):.4f}")


if __name__ == "__main__":
    main()
