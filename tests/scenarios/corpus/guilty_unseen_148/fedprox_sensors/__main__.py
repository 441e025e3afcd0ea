# gradwatch-corpus: kind=graph-held
# holder: self.reports | server.reports | self.reports[(rnd, report.client)] | report.drift
# first-bad: 4
# notice: 16
import torch

from .client import Client
from .server import Server

torch.set_num_threads(1)


def main():
    torch.manual_seed(21)
    clients = [Client(i, shift=0.3 * i) for i in range(5)]
    server = Server(n_features=12, n_classes=3)
    for rnd in range(10):
        chosen = torch.randperm(len(clients))[:3].tolist()
        updates = []
        for c in chosen:
            state, report = clients[c].train(server.model, local_steps=4, mu=0.1)
            updates.append((state, report.n_samples))
            server.register(rnd, report)
        server.aggregate(updates)
        print(f"round {rnd}: {server.describe(rnd)}")


if __name__ == "__main__":
    main()
