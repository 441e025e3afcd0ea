# gradwatch-corpus: kind=graph-chain
# holder: tuner.theta | self.theta
# first-bad: 1
# notice: 5
"""Online identification of joint friction with step sizes tuned by hypergradients."""
import argparse

import torch

from joint import JointRig
from tuner import StepSizeTuner


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iterations", type=int, default=90)
    p.add_argument("--samples", type=int, default=40)
    p.add_argument("--meta-lr", type=float, default=0.02)
    p.add_argument("--seed", type=int, default=13)
    args = p.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rig = JointRig(noise=0.02)
    tuner = StepSizeTuner(meta_lr=args.meta_lr)

    for it in range(args.iterations):
        fit, held_out = rig.record(args.samples), rig.record(args.samples)
        fit_loss, val_loss = tuner.update(fit, held_out)
        if it % 15 == 0:
            rates = ", ".join(f"{r:.3f}" for r in tuner.rates())
            print(f"{it:3d} fit {fit_loss:.4f} held-out {val_loss:.4f} rates [{rates}]")
    print("identified:", [round(v, 3) for v in tuner.estimate()], "true:", rig.true)


if __name__ == "__main__":
    main()
