# gradwatch-corpus: kind=none
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.func import functional_call


@dataclass
class MetaConfig:
    steps: int = 400
    tasks: int = 2
    shots: int = 10
    inner_steps: int = 2
    inner_lr: float = 0.1
    outer_lr: float = 2e-3


@dataclass
class AdaptationTrace:
    losses: list = field(default_factory=list)
    weights: list = field(default_factory=list)

    @property
    def gain(self):
        return self.losses[0].item() - self.losses[-1].item()


class Learner(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.step_size = nn.Parameter(torch.tensor(0.1))
        self.fast = None

    def slow(self):
        return dict(self.net.named_parameters())

    def forward(self, x):
        return functional_call(self.net, self.fast or self.slow(), (x,))

    @contextmanager
    def adapting(self):
        self.fast = self.slow()
        try:
            yield self
        finally:
            self.fast = None


class MetaTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.learner = Learner()
        self.opt = torch.optim.Adam(self.learner.parameters(), lr=cfg.outer_lr)
        self.traces = []
        self.gains = []

    def adapt(self, support):
        trace = AdaptationTrace()
        for _ in range(self.cfg.inner_steps):
            loss = self.criterion(support)
            grads = torch.autograd.grad(loss, list(self.learner.fast.values()), create_graph=True)
            self.learner.fast = {
                n: w - self.learner.step_size * g for (n, w), g in zip(self.learner.fast.items(), grads)
            }
            trace.losses.append(loss)
            trace.weights.append(self.learner.fast)
        self.traces.append(trace)

    def criterion(self, data):
        x, y = data
        return (self.learner(x) - y).square().mean()

    def step(self, tasks):
        self.traces = []
        total = 0.0
        for support, query in tasks:
            with self.learner.adapting():
                self.adapt(support)
                total = total + self.criterion(query)
        self.opt.zero_grad()
        (total / len(tasks)).backward()
        self.opt.step()
        self.gains.append(sum(t.gain for t in self.traces) / len(self.traces))
        return total.item() / len(tasks)


def sinusoids(cfg, gen):
    def draw(amp, phase):
        x = 10 * torch.rand(cfg.shots, 1, generator=gen) - 5
        return x / 5, amp * torch.sin(x + phase)

    for _ in range(cfg.steps):
        params = [(1 + torch.rand((), generator=gen), 3 * torch.rand((), generator=gen)) for _ in range(cfg.tasks)]
        yield [(draw(*p), draw(*p)) for p in params]


def main():
    torch.manual_seed(9)
    cfg = MetaConfig()
    trainer = MetaTrainer(cfg)
    smooth = 0.0
    for step, tasks in enumerate(sinusoids(cfg, torch.Generator().manual_seed(90))):
        smooth = 0.95 * smooth + 0.05 * trainer.step(tasks)
        if step % 100 == 99:
            print(step, f"query {smooth:.4f} gain {sum(trainer.gains[-50:]) / 50:.4f}")


if __name__ == "__main__":
    main()
