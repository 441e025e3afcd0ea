# gradwatch-corpus: kind=memory-climb
# holder: self.ledger | server.ledger | self.server.ledger
# first-bad: 1
# notice: 100
"""Federated averaging over a handful of simulated clients, one of them answers each round."""
import random

import torch

from client import Client, make_net
from server import Server

torch.set_num_threads(1)


def main(n_clients=5, rounds=170):
    torch.manual_seed(0)
    random.seed(0)
    server = Server(make_net())
    clients = [Client(i, shift=0.3 * i) for i in range(n_clients)]
    for rnd in range(rounds):
        client = random.choice(clients)
        reply = client.local_update(server.weights())
        server.merge(rnd, reply)
        if rnd % 30 == 0:
            print(f"round {rnd} client {reply.cid} loss {reply.loss:.3f}")
    print("clients seen", server.participation())


if __name__ == "__main__":
    main()
