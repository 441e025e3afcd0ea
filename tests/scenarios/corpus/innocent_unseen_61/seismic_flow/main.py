# gradwatch-corpus: kind=none
"""Normalising flow over seismic features, with a recorder of the last steps for post-mortems."""
import argparse

import torch

from flow.model import SeismicFlow
from ops.recorder import FlightRecorder


def events(n, dim):
    shock = (torch.rand(n, 1) < 0.3).float()
    return torch.randn(n, dim) * (0.4 + 0.8 * shock) + shock * torch.linspace(-1, 1, dim)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--steps", type=int, default=220)
    ap.add_argument("--dim", type=int, default=6)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(23)

    flow = SeismicFlow(args.dim)
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    recorder = FlightRecorder(keep=6)
    for step in range(args.steps):
        x = events(96, args.dim)
        with recorder.watch(step) as frame:
            frame["log_prob"] = flow.log_prob(x)
            frame["loss"] = -frame["log_prob"].mean()
            opt.zero_grad()
            frame["loss"].backward()
            frame["grad_norm"] = torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
            opt.step()
    print(recorder.report())


if __name__ == "__main__":
    main()
