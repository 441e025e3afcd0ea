# gradwatch-corpus: kind=graph-chain
# holder: state | self.state | runner.state | self.state.theta | self.state.hidden | theta | hidden
# first-bad: 1
"""Learning to learn by gradient descent on random quadratics, meta step by hand."""
import argparse
from dataclasses import dataclass

import torch
import torch.nn as nn

torch.set_num_threads(1)


@dataclass
class InnerState:
    theta: torch.Tensor
    hidden: torch.Tensor
    cell: torch.Tensor
    age: int = 0


class Quadratic:
    def __init__(self, dim, gen):
        self.W = torch.randn(dim, dim, generator=gen) / dim ** 0.5
        self.y = torch.randn(dim, generator=gen)

    def value(self, theta):
        return (self.W @ theta - self.y).pow(2).sum()

    def grad(self, theta):
        t = theta.detach()
        return 2 * self.W.t() @ (self.W @ t - self.y)


class LearnedOptimizer(nn.Module):
    def __init__(self, width=12, scale=0.1):
        super().__init__()
        self.cell = nn.LSTMCell(2, width)
        self.head = nn.Linear(width, 1)
        self.scale = scale

    @staticmethod
    def preprocess(g, p=10.0):
        mag = g.abs().clamp_min(1e-8).log() / p
        return torch.stack([mag.clamp_min(-1), g.sign() * (mag >= -1)], dim=1)

    def forward(self, grad, hidden, cell):
        hidden, cell = self.cell(self.preprocess(grad), (hidden, cell))
        return self.scale * self.head(hidden).squeeze(1), hidden, cell


class MetaRunner:
    def __init__(self, net, dim, unroll, horizon, lr, seed):
        self.net, self.dim, self.unroll, self.horizon, self.lr = net, dim, unroll, horizon, lr
        self.gen = torch.Generator().manual_seed(seed)
        self.velocity = [torch.zeros_like(p) for p in net.parameters()]
        self.new_problem()

    def new_problem(self):
        self.task = Quadratic(self.dim, self.gen)
        w = self.net.cell.hidden_size
        self.state = InnerState(torch.randn(self.dim, generator=self.gen),
                                torch.zeros(self.dim, w), torch.zeros(self.dim, w))

    def roll(self):
        s = self.state
        theta, hidden, cell = s.theta, s.hidden, s.cell  # <- culprit
        losses = []
        for _ in range(self.unroll):
            step, hidden, cell = self.net(self.task.grad(theta), hidden, cell)
            theta = theta + step
            losses.append(self.task.value(theta))
        self.state = InnerState(theta, hidden, cell, s.age + self.unroll)  # <- culprit
        return torch.stack(losses).mean()

    def meta_step(self, loss):
        self.net.zero_grad()
        loss.backward(retain_graph=True)
        norm = torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        for p, v in zip(self.net.parameters(), self.velocity):
            v.mul_(0.9).add_(p.grad.data)
            p.data -= self.lr * v
        return norm.item()

    def train(self, n_updates):
        for it in range(n_updates):
            if self.state.age >= self.horizon:
                self.new_problem()
            loss = self.roll()
            norm = self.meta_step(loss)
            yield it, loss.item(), norm


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=60)
    ap.add_argument("--unroll", type=int, default=4)
    ap.add_argument("--horizon", type=int, default=400)
    ap.add_argument("--lr", type=float, default=0.01)
    args = ap.parse_args()
    torch.manual_seed(1)
    runner = MetaRunner(LearnedOptimizer(), 8, args.unroll, args.horizon, args.lr, seed=1)
    for it, loss, norm in runner.train(args.updates):
        if it % 10 == 0:
            print(f"update {it:3d} mean loss {loss:.4f} |g| {norm:.3f} age {runner.state.age}")


if __name__ == "__main__":
    main()
