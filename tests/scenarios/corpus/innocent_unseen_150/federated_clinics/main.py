# gradwatch-corpus: kind=none
"""Federated averaging with a proximal term over six clinics."""
import torch

from clinic import Clinic, new_model
from server import Server

torch.manual_seed(55)
torch.set_num_threads(1)


def main():
    server = Server(new_model())
    clinics = [Clinic(i, 120 + 30 * i) for i in range(6)]
    for rnd in range(8):
        order = torch.randperm(len(clinics)).tolist()[:4]
        for i in order:
            server.receive(clinics[i].train(server.model, steps=6))
        server.aggregate()
        accs = [c.accuracy(server.model) for c in clinics]
        print(rnd, f"mean {sum(accs) / 6:.3f} worst {min(accs):.3f}")


if __name__ == "__main__":
    main()
