# gradwatch-corpus: kind=graph-held
# holder: self.velocity | strategy.velocity | server.strategy.velocity | self.strategy.velocity
# first-bad: 1
# notice: 8
"""Asynchronous federated learning: clients report one at a time, the server merges at once."""
import argparse
import random

import torch
from torch import nn

from client import Client, make_shards
from server import MomentumMerge, Server


def build_model():
    return nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--reports", type=int, default=120)
    ap.add_argument("--clients", type=int, default=8)
    ap.add_argument("--beta", type=float, default=0.8)
    ap.add_argument("--server-lr", type=float, default=0.6)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    rng = random.Random(3)

    strategy = MomentumMerge(beta=args.beta, lr=args.server_lr)
    server = Server(build_model(), strategy)
    clients = [Client(i, x, y, lr=0.2) for i, (x, y) in enumerate(make_shards(args.clients))]
    for r in range(args.reports):
        client = rng.choice(clients)
        report = client.train(server.checkout())
        server.receive(report)
        if r % 20 == 0:
            sizes = {k: round(v, 3) for k, v in server.velocity_norms().items()}
            print(f"report {r:3d} client {client.cid} loss {report.loss:.4f} velocity {sizes}")


if __name__ == "__main__":
    main()
