# gradwatch-corpus: kind=graph-chain
# holder: self.anchor[name] | self.anchor | client.anchor[name] | client.anchor
# first-bad: 1
"""Personalised federated learning: each client is pulled to a slow copy of its own body weights."""
import copy
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class FedConfig:
    clients: int = 3
    rounds: int = 8
    local_steps: int = 5
    dim: int = 24
    classes: int = 6
    batch: int = 32
    lr: float = 0.05
    prox: float = 0.1
    anchor_decay: float = 0.95


class TabNet(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, 48), nn.GELU(), nn.Linear(48, 32), nn.GELU())
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.body(x))


class ClientData:
    def __init__(self, cfg, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(400, cfg.dim, generator=g)
        w = torch.randn(cfg.dim, cfg.classes, generator=g)
        self.y = (self.x @ w + 0.3 * torch.randn(400, cfg.classes, generator=g)).argmax(-1)
        self.g = g
        self.batch = cfg.batch

    def sample(self):
        idx = torch.randint(0, len(self.x), (self.batch,), generator=self.g)
        return self.x[idx], self.y[idx]


class Client:
    def __init__(self, cid, cfg, template):
        self.cid = cid
        self.cfg = cfg
        self.model = copy.deepcopy(template)
        self.data = ClientData(cfg, 100 + cid)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=cfg.lr, momentum=0.9)
        self.anchor = {n: p.detach().clone() for n, p in self.model.body.named_parameters()}

    def move_anchor(self):
        d = self.cfg.anchor_decay
        for name, p in self.model.body.named_parameters():
            self.anchor[name] = torch.lerp(self.anchor[name], p, 1 - d)  # <- culprit

    def prox_term(self):
        total = 0.0
        for name, p in self.model.body.named_parameters():
            total = total + (p - self.anchor[name]).pow(2).sum()  # <- culprit
        return 0.5 * self.cfg.prox * total

    def local_train(self):
        losses = []
        for _ in range(self.cfg.local_steps):
            x, y = self.data.sample()
            self.move_anchor()
            ce = F.cross_entropy(self.model(x), y)
            loss = ce + self.prox_term()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(ce.item())
        return sum(losses) / len(losses)

    def load_body(self, state):
        self.model.body.load_state_dict(state)


def average_bodies(clients):
    keys = clients[0].model.body.state_dict().keys()
    out = {}
    for k in keys:
        out[k] = torch.stack([c.model.body.state_dict()[k] for c in clients]).mean(0)
    return out


def main():
    random.seed(4)
    torch.manual_seed(4)
    cfg = FedConfig()
    template = TabNet(cfg.dim, cfg.classes)
    clients = [Client(i, cfg, template) for i in range(cfg.clients)]
    rows = []
    for rnd in range(cfg.rounds):
        row = {"round": rnd}
        for client in clients:
            row[f"client{client.cid}"] = client.local_train()
        body = average_bodies(clients)
        for client in clients:
            client.load_body(body)
        rows.append(row)
        if rnd % 2 == 0:
            print({k: round(v, 3) for k, v in row.items()})
    print("rounds", len(rows))


if __name__ == "__main__":
    main()
