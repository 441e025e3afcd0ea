# gradwatch-corpus: kind=graph-chain
# holder: self.slow | self.slow[name] | server.slow | server.slow[name] | self.anchor
# first-bad: 1
# notice: 5
"""Cross-silo federated training on tabular data with a proximal pull to a slow server average."""
import random

import torch

from client import Client
from data import make_silos
from server import Server


def main():
    torch.set_num_threads(1)
    torch.manual_seed(7)
    random.seed(7)
    silos = make_silos(n_silos=6, n=256, dim=20, classes=5)
    server = Server(dim=20, classes=5, width=48, momentum=0.05)
    clients = [Client(i, *s, batch=32) for i, s in enumerate(silos)]
    rounds = 45
    for rnd in range(rounds):
        chosen = random.sample(clients, 2)
        logs = [server.run_client(c, local_steps=4, lr=0.05) for c in chosen]
        if (rnd + 1) % 10 == 0:
            acc = sum(c.accuracy(server.model) for c in clients) / len(clients)
            mean = sum(logs) / len(logs)
            print(f"round {rnd + 1:3d}  local loss {mean:.4f}  acc {acc:.3f}  drift {server.drift():.4f}")


if __name__ == "__main__":
    main()
