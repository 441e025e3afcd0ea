# gradwatch-corpus: kind=none
"""Online forecasting of a sensor stream: a loss after every sample, updates through a short window of the past."""
import argparse
from collections import deque

import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, n_in, n_mem):
        super().__init__()
        self.cell = nn.GRUCell(n_in, n_mem)
        self.read = nn.Linear(n_mem, n_in)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.read(h), h


class WindowedLearner:
    """Gradients run back at most `depth` samples; the weights move once every `depth` samples."""

    def __init__(self, net, depth, lr):
        self.net, self.depth = net, depth
        self.opt = torch.optim.RMSprop(net.parameters(), lr=lr)
        self.trace = []
        self.pending = []
        self.h = torch.zeros(1, net.cell.hidden_size)
        self.errors = deque(maxlen=24)

    def observe(self, x, x_next):
        guess, self.h = self.net(x, self.h)
        err = (guess - x_next).pow(2).mean()
        self.pending.append(err)
        self.trace.append(self.h)
        # every sample is credited at once; the window's earlier cells are needed again
        last = len(self.trace) == self.depth
        (err / self.depth).backward(retain_graph=not last)
        self.errors.append(err)
        if last:
            self._apply()
        return err

    def _apply(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.opt.zero_grad()
        self.h = self.trace[-1].detach()
        self.trace.clear()
        self.pending = []

    @torch.no_grad()
    def rollout(self, x, n):
        h, out = self.h, []
        for _ in range(n):
            x, h = self.net(x, h)
            out.append(x)
        return torch.stack(out)

    def recent(self, n):
        tail = list(self.errors)[-n:]
        return torch.stack([e.detach() for e in tail]).mean().item()


def sensor(n, seed):
    g = torch.Generator().manual_seed(seed)
    state = torch.randn(1, 3, generator=g)
    rot = torch.linalg.matrix_exp(torch.tensor([[0., .3, 0.], [-.3, 0., .1], [0., -.1, 0.]]))
    for _ in range(n):
        state = state @ rot.T + 0.02 * torch.randn(1, 3, generator=g)
        state = state / state.norm() * 1.5
        yield state.clone()


def cli():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--updates", type=int, default=250)
    p.add_argument("--depth", type=int, default=6)
    p.add_argument("--lr", type=float, default=3e-3)
    return p.parse_args()


def main():
    a = cli()
    torch.set_num_threads(1)
    torch.manual_seed(13)
    learner = WindowedLearner(Forecaster(3, 24), a.depth, a.lr)
    previous = None
    for i, x in enumerate(sensor(a.updates * a.depth + 1, seed=14)):
        if previous is not None:
            learner.observe(previous, x)
        previous = x
        if i and i % (50 * a.depth) == 0:
            drift = learner.rollout(x, 10).norm(dim=-1).mean().item()
            print(f"sample {i:5d}: err {learner.recent(24):.4f}  rollout radius {drift:.3f}")


if __name__ == "__main__":
    main()
