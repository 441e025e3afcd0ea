# gradwatch-corpus: kind=none
"""Multi-task quantile heads. Terms are gathered in a context variable while
the forward runs; several micro-batches share one optimizer step."""
import contextlib
import contextvars

import torch
from torch import nn

TERMS = contextvars.ContextVar("terms", default=())
ACCUM = 4
QUANTILES = (0.1, 0.5, 0.9)


@contextlib.contextmanager
def gathering():
    token = TERMS.set(())
    try:
        yield lambda: TERMS.get()
    finally:
        TERMS.reset(token)


def add_term(name, value):
    TERMS.set(TERMS.get() + ((name, value),))


class QuantileHead(nn.Module):
    def __init__(self, width, q):
        super().__init__()
        self.q = q
        self.lin = nn.Linear(width, 1)

    def forward(self, h, y):
        err = y - self.lin(h).squeeze(1)
        add_term(f"q{self.q}", torch.maximum(self.q * err, (self.q - 1) * err).mean())


class Trunk(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.a = nn.Linear(inputs, width)
        self.b = nn.Linear(width, width)
        self.heads = nn.ModuleList(QuantileHead(width, q) for q in QUANTILES)

    def forward(self, x, y):
        h = torch.relu(self.b(torch.relu(self.a(x))))
        add_term("act", 1e-3 * h.pow(2).mean())
        for head in self.heads:
            head(h, y)


def travel_times(seed):
    g = torch.Generator().manual_seed(seed)
    w = torch.rand(7, generator=g)
    while True:
        x = torch.randn(24, 7, generator=g)
        spread = 0.1 + torch.sigmoid(x[:, 0])
        yield x, x @ w + spread * torch.randn(24, generator=g)


def main(updates=420):
    torch.manual_seed(33)
    model = Trunk(7, 40)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    data = travel_times(34)
    step_terms = []
    lines = []
    for update in range(updates):
        opt.zero_grad()
        for _ in range(ACCUM):
            with gathering() as terms:
                model(*next(data))
                found = terms()
            loss = sum(value for _, value in found) / ACCUM
            loss.backward()
            step_terms.append(found)
        opt.step()
        if update % 5 == 4:
            sums = {}
            while step_terms:
                for name, value in step_terms.pop():
                    sums[name] = sums.get(name, 0.0) + value
            lines.append({k: v.item() / (5 * ACCUM) for k, v in sums.items()})
        if update % 70 == 69:
            print(update + 1, {k: round(v, 4) for k, v in lines[-1].items()})


if __name__ == "__main__":
    main()
