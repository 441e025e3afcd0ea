# gradwatch-corpus: kind=none
"""Federated training over clinics with a proximal term and control variates."""
import torch

from .client import Clinic
from .server import Server


def main(rounds=36, per_round=4, local_steps=3):
    torch.manual_seed(80)
    gen = torch.Generator().manual_seed(80)
    truth = torch.randn(10, generator=gen)
    server = Server(inputs=10)
    clinics = [Clinic(i, truth, server.net, gen) for i in range(7)]
    for r in range(rounds):
        chosen = torch.randperm(len(clinics), generator=gen)[:per_round].tolist()
        reports = [clinics[i].work(server.net, server.control, local_steps) for i in chosen]
        server.merge(reports, total=len(clinics))
        if r % 6 == 5:
            print(r, f"loss {server.rounds[-1]['loss']:.4f} drift {server.rounds[-1]['drift']:.4f}",
                  f"auc-ish {sum(c.evaluate(server.net) for c in clinics) / len(clinics):.3f}")


if __name__ == "__main__":
    main()
