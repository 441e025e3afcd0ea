# gradwatch-corpus: kind=graph-chain
# holder: hub.consensus[name] | self.consensus[name] | hub.consensus | self.consensus | anchor
# first-bad: 9
"""Personalised federated risk scores (FedProx with a consensus that has inertia)."""
import torch

from server import Coordinator
from clinic import Site


def main(rounds=40, local_steps=2):
    torch.manual_seed(2)
    sites = [Site(i) for i in range(4)]
    hub = Coordinator(sites)
    for r in range(rounds):
        scores = [s.local_round(hub.consensus, local_steps, mu=0.05) for s in sites]
        hub.aggregate()
        if r % 8 == 0:
            print(f"round {r:3d}  nll {sum(scores) / len(scores):.4f}  spread {hub.spread():.3f}")


if __name__ == "__main__":
    main()
