# gradwatch-corpus: kind=second-backward
# holder: self.cell | self.encoder.cell | self.model.encoder.cell | model.encoder.cell | fitter.model.encoder.cell
# first-bad: 7
# notice: 0
"""Fit a streaming water-level forecaster on gauge sessions.

    python main.py --hidden 24 --lr 3e-3
"""
import argparse

import torch

from data.sessions import GaugeSessions
from fitter import Fitter
from nets.forecaster import TideForecaster


def parse_args(argv=None):
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--hidden", type=int, default=24)
    p.add_argument("--chunk", type=int, default=12)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args(argv)


def main(argv=None):
    args = parse_args(argv)
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    # the harbour gauges were cut into one-chunk sessions, the estuary ones run longer
    sessions = GaugeSessions(lengths=[1] * 6 + [5] * 20, chunk=args.chunk, gauges=8)
    model = TideForecaster(n_inputs=3, hidden=args.hidden)
    fitter = Fitter(model, torch.optim.AdamW(model.parameters(), lr=args.lr))
    curve = fitter.fit(sessions)
    print(f"{len(curve)} chunks, last mse {curve[-1]:.4f}")


if __name__ == "__main__":
    main()
