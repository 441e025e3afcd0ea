# gradwatch-corpus: kind=none
"""Personalised federated learning: a server hypernetwork writes each client's weights (pFedHN-style)."""
from dataclasses import dataclass

import torch

from .clients import make_clients
from .server import Server


@dataclass
class Settings:
    rounds: int = 200
    clients: int = 8
    local_steps: int = 4
    local_lr: float = 0.05
    server_lr: float = 2e-2
    seed: int = 40


def main(cfg=Settings()):
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    clients = make_clients(cfg.clients, cfg.seed)
    server = Server(cfg.clients, d_in=6, d_out=3, lr=cfg.server_lr)
    order = torch.Generator().manual_seed(cfg.seed)
    for rnd in range(cfg.rounds):
        picked = torch.randperm(cfg.clients, generator=order)[:2].tolist()
        for cid in picked:
            start = server.dispatch(cid)
            tuned, loss = clients[cid].tune(start, cfg.local_steps, cfg.local_lr)
            server.receive(cid, tuned, loss)
        server.commit()
        if rnd % 50 == 49:
            acc = [clients[c].score(server.preview(c)) for c in range(cfg.clients)]
            print(f"round {rnd + 1}: accuracy {sum(acc) / len(acc):.3f} slowest client {server.worst()}")


if __name__ == "__main__":
    main()
