# gradwatch-corpus: kind=graph-chain
# holder: acc.anchor | book.anchor | nxt.anchor | anchor | acc
# first-bad: 1
"""Sector allocation by gradient ascent on a mean-variance utility, with a turnover penalty
towards the running average of past allocations (reduces whipsaw)."""
from collections import namedtuple
from functools import reduce

import torch

torch.manual_seed(404)
N_SECTORS, DAYS = 30, 320
Book = namedtuple("Book", "anchor days utility")

tilt = torch.nn.Parameter(torch.zeros(N_SECTORS))
skill = torch.nn.Parameter(torch.randn(N_SECTORS, 5) * 0.05)
trader = torch.optim.RMSprop([tilt, skill], lr=3e-3)

factor = torch.randn(N_SECTORS, 5)
market = torch.Generator().manual_seed(9)


def sessions():
    for _ in range(DAYS):
        z = torch.randn(5, generator=market) * 0.01
        noise = torch.randn(20, N_SECTORS, generator=market) * 0.02
        yield factor @ z + noise, z


def utility(alloc, panel, aversion=4.0):
    pnl = panel @ alloc
    return pnl.mean() - aversion * pnl.var()


def trade(acc, item):
    panel, z = item
    n = acc.days + 1
    anchor = torch.lerp(acc.anchor, tilt, 1 / n)  # <- culprit
    alloc = torch.softmax(tilt + skill @ z, 0)
    u = utility(alloc, panel)
    turnover = (tilt - anchor).pow(2).sum()
    objective = -u + 0.05 * turnover + 1e-3 * skill.square().sum()
    trader.zero_grad()
    objective.backward()
    trader.step()
    nxt = acc._replace(anchor=anchor, days=n, utility=acc.utility + u.item())
    if n % 80 == 0:
        print(f"day {n}: utility/day {nxt.utility / n:+.6f}  top sector {int(tilt.argmax())}")
    return nxt


book = reduce(trade, sessions(), Book(torch.zeros(N_SECTORS), 0, 0.0))
print("final weights:", [round(v, 3) for v in torch.softmax(book.anchor, 0).tolist()[:6]], "...")
