# gradwatch-corpus: kind=none
"""Single-process federated learning with SCAFFOLD control variates and a proximal term.   python -m fedscaffold"""
import argparse

import torch

from .client import Client
from .data import non_iid_shards
from .models import build
from .server import Server


def main():
    p = argparse.ArgumentParser("fedscaffold")
    p.add_argument("--clients", type=int, default=6)
    p.add_argument("--rounds", type=int, default=12)
    p.add_argument("--participation", type=int, default=3)
    p.add_argument("--local-steps", type=int, default=7)
    p.add_argument("--mu", type=float, default=0.01)
    a = p.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(31)
    shards, test = non_iid_shards(a.clients)
    net = build()
    clients = [Client(i, net, s, mu=a.mu) for i, s in enumerate(shards)]
    server = Server(net, clients, test)
    for r in range(a.rounds):
        picked = [clients[i] for i in torch.randperm(a.clients)[: a.participation].tolist()]
        info = server.round(picked, a.local_steps)
        print(f"round {r:2d}  loss {info['loss']:.3f}  drift {info['drift']:.4f}  acc {info['acc']:.3f}")
    print("last client losses:", {c.cid: round(c.last_loss.item(), 3) for c in clients if c.last_loss is not None})


main()
