# gradwatch-corpus: kind=graph-chain
# holder: self.belief | kf.belief | belief | self.belief.mean | self.belief.cov | kf.belief.mean | kf.belief.cov | mean | cov
# first-bad: 1
# notice: 5
# also: retain-needless
"""Identify process/measurement noise of a tracked target by maximising the innovations likelihood."""
import argparse
import math

import torch

from simulate import target_stream
from filtering import LearnedKalman


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--windows", type=int, default=80)
    ap.add_argument("--width", type=int, default=4)
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--report", type=int, default=20)
    return ap.parse_args()


def main():
    args = parse()
    torch.set_num_threads(1)
    torch.manual_seed(11)

    kf = LearnedKalman(dt=0.2)
    opt = torch.optim.Adam(kf.parameters(), lr=args.lr)
    nll_hist = []

    for k, window in enumerate(target_stream(args.windows, args.width)):
        nll = kf.nll(window)
        opt.zero_grad()
        nll.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(kf.parameters(), 5.0)
        opt.step()
        nll_hist.append(nll.item())
        if (k + 1) % args.report == 0:
            recent = sum(nll_hist[-args.report:]) / args.report
            q, r = kf.noise_levels()
            print(f"window {k + 1:3d}  nll {recent:7.3f}  q={q:.3f}  r={r:.3f}")

    assert math.isfinite(nll_hist[-1])


if __name__ == "__main__":
    main()
