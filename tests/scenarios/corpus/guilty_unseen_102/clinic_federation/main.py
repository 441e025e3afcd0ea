# gradwatch-corpus: kind=graph-chain
# holder: self.consensus | anchor.consensus | server.anchor.consensus | self.anchor.consensus
# first-bad: 1
# notice: 5
"""Federated risk model over several clinics with a proximal pull to a slow consensus."""
import torch

from clinics import Clinic
from server import Server

ROUNDS, LOCAL_STEPS, N_CLINICS = 60, 3, 5


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    truth = torch.randn(12)
    clinics = [Clinic(k, truth, n=80) for k in range(N_CLINICS)]
    server = Server(dim=12, mu=0.2, lr=0.05)
    for rnd in range(ROUNDS):
        clinic = clinics[rnd % N_CLINICS]
        loss = server.visit(clinic, LOCAL_STEPS)
        if rnd % 10 == 9:
            print(f"round {rnd + 1:3d}  loss {loss:.4f}  "
                  f"drift {server.anchor.drift(server.model.risk.weight):.4f}")
    cos = torch.cosine_similarity(server.model.risk.weight[0], truth, dim=0)
    print(f"cosine to the true coefficients {cos.item():.3f}")


if __name__ == "__main__":
    main()
