# gradwatch-corpus: kind=none
"""Multi-term PDE surrogate; the loss terms are booked in a ledger scoped by phases."""
import contextlib
import contextvars

import torch
from torch import nn

_ledger = contextvars.ContextVar("ledger", default=None)


@contextlib.contextmanager
def ledger(title):
    book = {}
    token = _ledger.set(book)
    try:
        yield book
    finally:
        _ledger.reset(token)
        summary = {k: sum(v.item() for v in vs) / len(vs) for k, vs in book.items()}
        print(title, " ".join(f"{k}={v:.5f}" for k, v in summary.items()))
        book.clear()


def book_term(name, value):
    book = _ledger.get()
    if book is not None:
        book.setdefault(name, []).append(value)
    return value


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.f(x)


def residual_term(net, x):
    x = x.requires_grad_()
    u = net(x)
    du, = torch.autograd.grad(u.sum(), x, create_graph=True)
    ddu, = torch.autograd.grad(du.sum(), x, create_graph=True)
    return book_term("residual", (ddu + torch.sin(torch.pi * x) * torch.pi ** 2).pow(2).mean())


def boundary_term(net):
    ends = torch.tensor([[0.0], [1.0]])
    return book_term("boundary", net(ends).pow(2).mean())


def main(phases=7, per_phase=65):
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(1)
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
    for phase in range(phases):
        with ledger(f"phase {phase}:"):
            for _ in range(per_phase):
                x = torch.rand(24, 1, generator=gen)
                total = book_term("total", residual_term(net, x) + 20 * boundary_term(net))
                opt.zero_grad()
                total.backward()
                opt.step()
        sched.step()
    with torch.no_grad():
        x = torch.linspace(0, 1, 50)[:, None]
        print("max error", (net(x) - torch.sin(torch.pi * x)).abs().max().item())


if __name__ == "__main__":
    main()
