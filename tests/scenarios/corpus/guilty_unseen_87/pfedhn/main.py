# gradwatch-corpus: kind=second-backward
# holder: weights['w1'] | weights | packages | shared | flat | weights.values()
# first-bad: 41
# notice: 0
"""Personalised FL with a hypernetwork on the server (after Shamsian et al. 2021)."""
import random

import torch

from hyper import HyperNet
from node import Node, TargetSpec
from rounds import FederatedRun


def cohort_size(rnd):
    return 1 if rnd < 40 else 3   # ramp up participation after the warm rounds


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(21)
    random.seed(21)
    spec = TargetSpec(inp=10, hidden=16, out=4)
    nodes = [Node(i, spec) for i in range(8)]
    hnet = HyperNet(len(nodes), emb=12, width=48, spec=spec)
    FederatedRun(hnet, nodes, rounds=200, cohort=cohort_size, lr=5e-2).run()
