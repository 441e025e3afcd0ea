# gradwatch-corpus: kind=memory-climb
# holder: self.ledger | server.ledger | self.server.ledger | server.ledger.entries | self.entries | ledger.entries | entries | update.delta | self.ledger.entries
# first-bad: 1
"""Federated averaging over simulated hospitals with unequal case mix; the server applies a momentum step (FedAvgM)
on the mean of the client updates."""
import torch

from clients import Hospital
from model import RiskModel, flatten
from server import Server


def evaluate(model, hospitals):
    model.eval()
    with torch.no_grad():
        losses = [h.validation_loss(model) for h in hospitals]
    model.train()
    return sum(losses) / len(losses), max(losses)


def main(rounds=200, n_hospitals=8, per_round=3):
    torch.manual_seed(0)
    hospitals = [Hospital(k, cases=800 + 150 * k) for k in range(n_hospitals)]
    server = Server(RiskModel(), lr=1.0, momentum=0.6, seed=41)
    print(f"{flatten(server.model).numel()} weights, {n_hospitals} hospitals")
    for r in range(rounds):
        chosen = server.select(hospitals, per_round)
        updates = [h.local_round(server.broadcast(), lr=0.05) for h in chosen]
        server.aggregate(r, updates)
        if r % 50 == 49:
            mean, worst = evaluate(server.model, hospitals)
            share = server.ledger.participation(n_hospitals)
            print(f"round {r + 1:4d} mean loss {mean:.4f} worst {worst:.4f} least used hospital {min(share):.2f}")


if __name__ == "__main__":
    main()
