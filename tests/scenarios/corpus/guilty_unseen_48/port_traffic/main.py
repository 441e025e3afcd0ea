# gradwatch-corpus: kind=graph-chain
# holder: self._level | balancer._level | self.balancer._level
# first-bad: 1
"""Berth planning: waiting time, cranes needed and delay risk of an arriving ship."""
import torch

from balance import Balancer
from berth import Arrivals, BerthNet, Plan
from loop import MultiTaskLoop, console


def main():
    torch.manual_seed(13)
    plan = Plan(epochs=3, steps=30)
    net = BerthNet(plan.features, plan.width)
    balancer = Balancer(("wait", "cranes", "delay"), beta=0.9)
    loop = MultiTaskLoop(net, balancer, plan)
    loop.on("step", console(every=15))
    loop.run(Arrivals(plan))
    print({k: round(v, 3) for k, v in balancer.summary().items()})


if __name__ == "__main__":
    main()
