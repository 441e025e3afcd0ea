# gradwatch-corpus: kind=graph-chain
# holder: self.log_wealth | book.log_wealth | state.book.log_wealth | self.state.book.log_wealth | st.book.log_wealth
# first-bad: 1
# notice: 5
# also: retain-needless
"""Parametric portfolio policy trained on simulated factor returns."""
import argparse

import torch

from book import Book
from engine import Loop, TrainState, build_callbacks
from market import FactorMarket
from policy import ParametricPolicy


def parse() -> argparse.Namespace:
    ap = argparse.ArgumentParser()
    ap.add_argument("--rebalances", type=int, default=120)
    ap.add_argument("--assets", type=int, default=8)
    ap.add_argument("--risk", type=float, default=2.0)
    ap.add_argument("--drawdown", type=float, default=0.05)
    ap.add_argument("--callbacks", nargs="*", default=["exposure", "console"])
    return ap.parse_args()


def main() -> None:
    args = parse()
    torch.set_num_threads(1)
    torch.manual_seed(5)
    market = FactorMarket(assets=args.assets, seed=5)
    policy = ParametricPolicy(characteristics=market.characteristics)
    state = TrainState(policy=policy, optimizer=torch.optim.Adam(policy.parameters(), lr=0.02), book=Book())
    loop = Loop(state, build_callbacks(args.callbacks), risk=args.risk, drawdown=args.drawdown)
    loop.run(market.periods(args.rebalances))
    print("final wealth", round(float(state.book.log_wealth.detach().exp()), 4), "peak", round(state.book.peak, 4))


if __name__ == "__main__":
    main()
