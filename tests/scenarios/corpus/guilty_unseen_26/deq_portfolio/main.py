# gradwatch-corpus: kind=graph-chain
# holder: self._warm | model.allocator._warm | self.allocator._warm | self.model.allocator._warm | engine.model.allocator._warm | self._warm["equity"]
# first-bad: 1
# also: retain-needless
# after: deepinv/deepinv issue 110 "DEQ memory issue" (memory grows while training; the mechanism here, a warm start that is not detached, is ours)
"""Long/short allocation with an equilibrium layer; retrained each day on the newest window."""
import sys
from functools import partial
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))
from allocator import Desk            # noqa: E402
from engine import Engine, MomentumSGD  # noqa: E402

UNIVERSE = {"equity": 10, "futures": 6}


def market(days, lookback=20, seed=3):
    g = torch.Generator().manual_seed(seed)
    walk = {k: torch.randn(days + lookback + 1, n, generator=g) * 0.01 for k, n in UNIVERSE.items()}
    for d in range(days):
        yield {k: (w[d:d + lookback], w[d + 1:d + lookback + 1]) for k, w in walk.items()}


def neg_sharpe(weights, returns, cost=1e-3):
    pnl = (weights * returns).sum(-1)
    turnover = weights.diff(dim=0).abs().sum(-1).mean()
    return -(pnl.mean() / (pnl.std() + 1e-4)) + cost * turnover


def objective(model, window):
    parts = [neg_sharpe(model(name, past), nxt) for name, (past, nxt) in window.items()]
    return torch.stack(parts).mean()


def run():
    torch.manual_seed(1)
    model = Desk(UNIVERSE, width=16, solver_steps=5)
    engine = Engine(model, partial(MomentumSGD, lr=0.02, momentum=0.8), objective)
    for day, window in enumerate(market(days=70)):
        sharpe = engine.fit_one(window)
        if day % 10 == 0:
            print(f"day {day:03d} in-sample sharpe {sharpe:+.3f}")


if __name__ == "__main__":
    run()
