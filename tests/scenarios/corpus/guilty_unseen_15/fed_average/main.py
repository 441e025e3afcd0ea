# gradwatch-corpus: kind=memory-climb
# holder: self.rounds | server.rounds | self.rounds[-1].deltas | server.rounds[-1].deltas | record.deltas | deltas
# first-bad: 1
"""Federated averaging with a server-side Adam over a dozen simulated hospitals with shifted data.
Prints how well the hospitals' updates agree."""
import random

import torch
from torch import nn

from client import Hospital
from server import Server

ROUNDS = 220
PER_ROUND = 3


def build_net():
    return nn.Sequential(nn.Linear(64, 768), nn.ReLU(), nn.Linear(768, 10))


def main():
    random.seed(19)
    torch.manual_seed(19)
    rule = torch.randn(64, 10)
    hospitals = [Hospital(i, rule, shift=0.3 * i / 12) for i in range(12)]
    server = Server(build_net(), lr=3e-3)
    for r in range(ROUNDS):
        chosen = random.sample(hospitals, PER_ROUND)
        deltas = [h.local_update(server.net, steps=1, lr=0.2) for h in chosen]
        server.aggregate(r, [h.name for h in chosen], deltas)
        if r % 40 == 39:
            acc = sum(h.evaluate(server.net) for h in hospitals) / len(hospitals)
            print(f"round {r + 1:3d}  acc {acc:.3f}  agreement {server.agreement(last=5):+.3f}")


if __name__ == "__main__":
    main()
