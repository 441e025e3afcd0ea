# gradwatch-corpus: kind=graph-chain
# holder: self.reference | site.pull.reference | self.pull.reference
# first-bad: 1
"""Cross-silo tabular model (readmission risk) trained site by site with a slowly moving proximal reference.

usage: python main.py [--rounds 60] [--local 5]
"""
import argparse
import math
import random

import torch

from federation import Site, merge_round
from nets import RiskNet
from wards import make_ward


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=100)
    ap.add_argument("--local", type=int, default=3, help="local steps per site visit")
    ap.add_argument("--strength", type=float, default=0.02)
    ap.add_argument("--drift", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=11)
    return ap.parse_args()


def main():
    cfg = parse()
    torch.manual_seed(cfg.seed)
    random.seed(cfg.seed)
    hospital = make_ward(1400, shift=0.3)
    held_out = make_ward(500, shift=0.3)
    site = Site(RiskNet(24, 48), hospital, cfg)

    for rnd in range(cfg.rounds):
        losses = [site.local_step() for _ in range(cfg.local)]
        if rnd % 10 == 9:
            merge_round(site)
            auc_like = site.score(held_out)
            print(f"round {rnd + 1:3d}  local loss {sum(losses) / len(losses):.4f}  "
                  f"held-out acc {auc_like:.3f}  drift {math.sqrt(site.last_drift):.4f}")


if __name__ == "__main__":
    main()
