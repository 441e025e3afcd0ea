# gradwatch-corpus: kind=graph-chain
# holder: self.weights | server.weights
# first-bad: 8
import torch
from torch import nn

import fedsim.aggregate  # noqa: F401
from fedsim.client import Client
from fedsim.server import Server

VOCAB = 10
ROUNDS = 90


def build():
    return nn.Sequential(nn.Linear(12, 24), nn.Tanh(), nn.Linear(24, VOCAB))


def main():
    torch.manual_seed(77)
    gen = torch.Generator().manual_seed(78)
    clients = [Client(i, VOCAB, gen) for i in range(12)]
    server = Server(build(), rule="weighted", server_lr=1.0)
    for rnd in range(ROUNDS):
        loss = server.round(server.sample(clients, 4), lr=0.2, local_steps=2)
        if (rnd + 1) % 15 == 0:
            print(f"round {rnd + 1:3d} mean client loss {loss:.4f}")
    norm = sum(w.detach().pow(2).sum() for w in server.weights.values()).sqrt()
    print(f"global weight norm {norm.item():.3f}")


if __name__ == "__main__":
    main()
