# gradwatch-corpus: kind=graph-chain
# holder: self.hidden | carry.hidden | session.carry.hidden | self.carry.hidden
# first-bad: 121
# notice: 5
"""Hourly electricity load, one pass over a long multi-zone series.

Phase 1 learns from short independent pieces, phase 2 lets the state run on.
"""
import torch

from config import Config
from session import Session


def main():
    cfg = Config()
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    session = Session(cfg)
    for t in range(cfg.steps):
        mse = session.step(t)
        if t % 50 == 0:
            print(f"{t:4d} phase={session.phase(t)} mse={mse:.4f}")
    print("mean of last 50:", round(session.tail(50), 4))


if __name__ == "__main__":
    main()
