# gradwatch-corpus: kind=graph-held
# holder: self.ledger | self.ledger[rnd] | server.ledger | r.loss
# first-bad: 4
# notice: 20
# FedProx on non-iid synthetic clients.
import random

import torch
import torch.nn as nn

from .client import Client
from .server import Server


def synthetic(cid, n=80, d=12, c=4):
    g = torch.Generator().manual_seed(cid)
    W = torch.randn(d, c, generator=torch.Generator().manual_seed(99))
    shift = torch.randn(d, generator=g) * 0.5
    x = torch.randn(n, d, generator=g) + shift
    y = (x @ W).argmax(1)
    return x, y


def main(rounds=30):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    random.seed(1)
    net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 4))
    clients = [Client(i, *synthetic(i)) for i in range(8)]
    server = Server(net, clients)
    for rnd in range(rounds):
        server.round(rnd)
        if rnd % 5 == 0:
            loss, acc = server.summary(rnd)
            print(f"round {rnd:2d} loss {loss:.3f} acc {acc:.2f}")
    x, y = synthetic(100)
    with torch.no_grad():
        print("held-out client acc", (net(x).argmax(1) == y).float().mean().item())


main()
