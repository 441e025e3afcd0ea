# gradwatch-corpus: kind=graph-held
# holder: server.ledger | self.ledger | self.ledger[report.client] | ledger[report.client] | report.final_loss | self.ledger[cid][i].final_loss | server.ledger[cid]
# first-bad: 3
# notice: 24
"""Federated averaging over simulated phones that each type with their own habits.
One phone is drawn per turn, trains a few local steps, and ships back its delta."""
import random

import torch

from client import Phone, next_key_model
from server import Server

TURNS = 110
PHONES = 9


def main():
    torch.manual_seed(31)
    rng = random.Random(31)
    server = Server(next_key_model(), phones_per_merge=3, server_lr=0.8)
    phones = [Phone(cid, local_steps=3, lr=0.5) for cid in range(PHONES)]

    for turn in range(TURNS):
        phone = rng.choice(phones)
        delta, report = phone.train(server.broadcast())
        server.receive(delta, report)
        if turn % 22 == 21:
            worst = server.hardest_clients(2)
            print(f"turn {turn + 1:3d}  merges {server.merges:3d}  recent {server.recent_loss():.3f}  "
                  f"hardest {[f'#{c}:{l:.2f}' for c, l in worst]}")


if __name__ == "__main__":
    main()
