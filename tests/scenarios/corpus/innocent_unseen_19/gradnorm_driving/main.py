# gradwatch-corpus: kind=none
"""GradNorm for three driving heads (steering, throttle, hazard), after Chen et al. 2018;
the balancing term is a gradient of a gradient, everything else is plain."""
import torch

from balance import GradNorm
from network import DrivingNet, drives
from runner import Runner


def main():
    torch.manual_seed(55)
    net = DrivingNet(inputs=20, width=40)
    runner = Runner(net, GradNorm(n=3, alpha=1.2, lr=0.02), lr=1e-3)
    runner.run(drives(seed=8, batch=40, inputs=20), iterations=320, report=80)


if __name__ == "__main__":
    main()
