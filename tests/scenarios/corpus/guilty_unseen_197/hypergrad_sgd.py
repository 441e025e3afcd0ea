# gradwatch-corpus: kind=graph-chain
# holder: self.weights | learner.weights | self.weights[name]
# first-bad: 1
import math
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.func import functional_call


@dataclass
class HyperConfig:
    lr: float = 0.05
    hyper_lr: float = 0.01
    steps: int = 400
    batch: int = 40
    report: int = 100


@dataclass
class Journal:
    loss: list = field(default_factory=list)
    rate: list = field(default_factory=list)

    def note(self, loss, rate):
        self.loss.append(loss)
        self.rate.append(rate)

    def line(self, step):
        tail = self.loss[-25:]
        return f"{step:4d} loss={sum(tail) / len(tail):.4f} lr={self.rate[-1]:.4f}"


class OnlineHyperSGD:
    def __init__(self, module, cfg):
        self.module = module
        self.cfg = cfg
        self.weights = {n: p.detach().clone().requires_grad_() for n, p in module.named_parameters()}
        self.log_lr = nn.Parameter(torch.tensor(math.log(cfg.lr)))
        self.hyper = torch.optim.Adam([self.log_lr], lr=cfg.hyper_lr)

    def __call__(self, x):
        return functional_call(self.module, self.weights, (x,))

    def gradients(self, loss):
        names, tensors = zip(*self.weights.items())
        targets = [*tensors, self.log_lr]
        *grads, hyper = torch.autograd.grad(loss, targets, retain_graph=True, allow_unused=True)
        return dict(zip(names, grads)), hyper

    def advance(self, grads):
        rate = self.log_lr.exp()
        for name, g in grads.items():
            self.weights[name] = self.weights[name] - rate * g  # <- culprit

    def tune(self, hyper):
        self.hyper.zero_grad()
        if hyper is not None:
            self.log_lr.grad = hyper.clamp(-1, 1)
            self.hyper.step()

    def update(self, loss):
        grads, hyper = self.gradients(loss)
        self.tune(hyper)
        self.advance(grads)
        return self.log_lr.exp().item()


@contextmanager
def seeded(seed):
    state = torch.get_rng_state()
    torch.manual_seed(seed)
    try:
        yield torch.Generator().manual_seed(seed)
    finally:
        torch.set_rng_state(state)


def stream(cfg, gen):
    w = torch.randn(10, generator=gen)
    for _ in range(cfg.steps):
        x = torch.randn(cfg.batch, 10, generator=gen)
        yield x, torch.sin(x @ w) + 0.1 * torch.randn(cfg.batch, generator=gen)


def main():
    cfg = HyperConfig()
    with seeded(14) as gen:
        module = nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 1))
        learner = OnlineHyperSGD(module, cfg)
        journal = Journal()
        for step, (x, y) in enumerate(stream(cfg, gen)):
            loss = (learner(x).squeeze(-1) - y).pow(2).mean()
            rate = learner.update(loss)
            journal.note(loss.item(), rate)
            if step % cfg.report == 0:
                print(journal.line(step))


if __name__ == "__main__":
    main()
