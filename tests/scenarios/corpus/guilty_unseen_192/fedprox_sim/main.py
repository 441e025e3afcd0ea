# gradwatch-corpus: kind=graph-held
# holder: self.rounds | server.rounds | self.rounds[-1]["drift"]
# first-bad: 1
import torch

from clients import Client, make_shards
from server import Server


def run(rounds=160, per_round=2, n_clients=8, mu=0.1):
    torch.manual_seed(42)
    server = Server(in_dim=10, n_classes=4)
    clients = [Client(i, shard, mu=mu) for i, shard in enumerate(make_shards(n_clients))]
    for rnd in range(rounds):
        chosen = torch.randperm(n_clients)[:per_round].tolist()
        reports = [clients[c].local_update(server.broadcast()) for c in chosen]
        server.aggregate(reports)
        if rnd % 70 == 0:
            print(server.summary())


if __name__ == "__main__":
    run()
