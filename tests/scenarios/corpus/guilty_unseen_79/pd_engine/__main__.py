# gradwatch-corpus: kind=graph-chain
# holder: engine.plugins[1].slow | self.slow | self.slow[name] | anchor.slow | plugin.slow | reg.slow
# first-bad: 1
# notice: 5
"""Probability-of-default engine: python -m pd_engine"""
import argparse

import torch

from .core import Engine, build
from . import plugins  # noqa: F401  (fills the registry)
from .portfolio import Portfolio

torch.set_num_threads(1)

CONFIG = {
    "model": {"kind": "mlp", "width": 24},
    "plugins": [
        {"kind": "class_balance", "floor": 0.05},
        {"kind": "anchor", "strength": 0.05, "rate": 0.05},
        {"kind": "ticker", "every": 30},
    ],
}


def main():
    ap = argparse.ArgumentParser("pd_engine")
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--seed", type=int, default=17)
    ns = ap.parse_args()
    torch.manual_seed(ns.seed)

    book = Portfolio.synthetic(1500)
    model = build("model", features=book.x.shape[1], **CONFIG["model"])
    engine = Engine(model, [build("plugin", **spec) for spec in CONFIG["plugins"]])
    engine.run(book.stream(ns.batch, ns.steps))
    print("holdout gini", round(book.gini(model), 3))


if __name__ == "__main__":
    main()
