# gradwatch-corpus: kind=inplace-modified
# holder: log_s
# first-bad: 25
# notice: 0
"""Density estimation of stellar spectra summaries with affine couplings."""
import argparse

import torch

from flows.chain import FlowChain
from schedules.gain import GainRamp


def spectra(n, dim):
    """Four-lobed synthetic summaries."""
    lobe = torch.randint(0, 4, (n, 1)).float()
    base = torch.randn(n, dim) * 0.3
    return base + torch.cos(lobe * 1.57 + torch.arange(dim) * 0.4)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--dim", type=int, default=6)
    ap.add_argument("--layers", type=int, default=4)
    ap.add_argument("--ramp-from", type=int, default=24)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(5)

    flow = FlowChain(args.dim, args.layers)
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    ramp = GainRamp(flow, start=args.ramp_from, stop=args.ramp_from + 40, final=2.5)
    for step in range(args.steps):
        ramp(step)
        nll = -flow.log_prob(spectra(128, args.dim)).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        if step % 20 == 0:
            print(f"{step:4d} nll {nll.item():.4f}")


if __name__ == "__main__":
    main()
