# gradwatch-corpus: kind=none
"""FedAvg over a handful of hospitals with shifted covariates."""
import torch

from client import Client
from server import Server


def build_clients(n, gen):
    w = torch.randn(10, 3, generator=gen)
    clients = []
    for cid in range(n):
        x = torch.randn(200, 10, generator=gen) + 0.3 * cid
        y = (x @ w + 0.1 * torch.randn(200, 3, generator=gen)).argmax(1)
        clients.append(Client(cid, x, y))
    return clients


def main(rounds=9):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(42)
    server = Server(build_clients(5, gen))
    for r in range(rounds):
        report = server.run_round(gen)
        line = " ".join(f"c{cid}={v:.3f}" for cid, v in report.items())
        print(f"round {r:02d} {line}")


if __name__ == "__main__":
    main()
