# gradwatch-corpus: kind=graph-held
# holder: self.ledger | server.ledger | self.ledger[update] | server.ledger[update] | receipt.update | receipt.update.loss | update.loss | receipt | self.ledger[update].update.loss | server.ledger[update].update.loss
# first-bad: 1
"""Federated detection of tremor episodes from wrist accelerometers; all clinics are simulated in this process."""
import torch

from clinic import Clinic
from model import TremorNet
from server import Server

ROUNDS = 220
CLINICS_PER_ROUND = 3


def main():
    torch.manual_seed(8)
    sampler = torch.Generator().manual_seed(80)
    server = Server(TremorNet(), lr=0.4)
    clinics = [Clinic(i, bias=0.3 * (i - 4)) for i in range(9)]

    for rnd in range(ROUNDS):
        chosen = torch.randperm(len(clinics), generator=sampler)[:CLINICS_PER_ROUND].tolist()
        weights = server.broadcast()
        updates = [clinics[c].train(rnd, weights) for c in chosen]
        for update in updates:
            server.accept(update)
        loss = server.aggregate(updates)
        if rnd % 55 == 0:
            print(f"round {rnd:3d}  loss {loss:.4f}  open receipts {server.open_receipts(rnd)}")
    print("participation", server.participation())


if __name__ == "__main__":
    main()
