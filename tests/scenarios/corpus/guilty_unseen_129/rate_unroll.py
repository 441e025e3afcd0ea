# gradwatch-corpus: kind=graph-chain
# holder: learner.weights | self.weights | learner.weights["w"] | weights
# first-bad: 1
# notice: 5
import contextlib

import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(120)


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 8)
        self.b = nn.Linear(8, 1)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


class RateBook(nn.Module):
    """One learned log step size for each tensor of the inner model."""

    def __init__(self, names):
        super().__init__()
        self.names = list(names)
        self.log_rate = nn.Parameter(torch.full((len(self.names),), -3.0))

    def open(self):
        return dict(zip(self.names, self.log_rate.exp().unbind()))


class Learner:
    def __init__(self):
        self.template = Inner()
        self.weights = {k: v.detach().clone().requires_grad_() for k, v in self.template.named_parameters()}

    def loss(self, x, y):
        return (functional_call(self.template, self.weights, (x,)) - y).square().mean()

    @contextlib.contextmanager
    def improved(self, rates, x, y):
        before = self.weights
        grads = torch.autograd.grad(self.loss(x, y), list(before.values()), create_graph=True)
        self.weights = {k: w - rates[k] * g for (k, w), g in zip(before.items(), grads)}  # <- culprit
        try:
            yield self
        except ArithmeticError:
            self.weights = before


def wells():
    k = torch.randn(3)
    while True:
        x = torch.randn(16, 3)
        yield x, torch.sin(x @ k)[:, None]


def main(steps=170):
    learner = Learner()
    book = RateBook(learner.weights)
    opt = torch.optim.Adam(book.parameters(), lr=1e-2)
    data = wells()
    for step in range(steps):
        with learner.improved(book.open(), *next(data)) as better:
            outer = better.loss(*next(data))
            if not torch.isfinite(outer):
                raise ArithmeticError
            opt.zero_grad()
            outer.backward(retain_graph=True)
            opt.step()
    print(f"{outer.item():.4f}", book.log_rate.exp().tolist())


main()
