# gradwatch-corpus: kind=none
"""Federated averaging of a risk model over hospitals with different populations."""
import torch

from client import Hospital
from server import Coordinator
from population import make_populations

torch.set_num_threads(1)
torch.manual_seed(17)

ROUNDS = 14
PER_ROUND = 3


def main():
    populations = make_populations(count=8, features=10)
    server = Coordinator(features=10)
    for rnd in range(ROUNDS):
        chosen = torch.randperm(len(populations))[:PER_ROUND].tolist()
        crew = [Hospital(i, populations[i], server.broadcast()) for i in chosen]
        for hospital in crew:
            hospital.train_locally(steps=12)
        summary = server.aggregate(crew)
        if rnd % 2 == 0:
            print(f"round {rnd:2d}  " + "  ".join(
                f"h{i}: {first:.3f}->{last:.3f}" for i, first, last in summary))


if __name__ == "__main__":
    main()
