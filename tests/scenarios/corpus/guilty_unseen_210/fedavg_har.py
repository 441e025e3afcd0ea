# gradwatch-corpus: kind=memory-climb
# holder: self.ledger | server.ledger | self.server.ledger
# first-bad: 1
"""FedAvg on synthetic activity-recognition windows (non-IID clients)."""
import copy
from dataclasses import dataclass
from typing import Dict, List

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class ClientUpdate:
    cid: int
    round_idx: int
    n: int
    weights: Dict[str, np.ndarray]
    loss: float


class HARNet(nn.Module):
    def __init__(self, channels=6, classes=5):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(channels, 16, 5, stride=2), nn.ReLU(), nn.Conv1d(16, 32, 5, stride=2), nn.ReLU())
        self.fc = nn.Sequential(nn.Linear(32 * 13, 48), nn.ReLU(), nn.Linear(48, classes))

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


class Client:
    def __init__(self, cid, seed):
        g = torch.Generator().manual_seed(seed)
        self.cid = cid
        p = torch.rand(5, generator=g) ** 2 + 0.05
        self.y = torch.multinomial(p, 96, replacement=True, generator=g)
        freq = (self.y + 1).float()[:, None, None]
        t = torch.linspace(0, 6.28, 64)
        self.x = torch.sin(freq * t + torch.rand(96, 6, 1, generator=g)) + 0.3 * torch.randn(96, 6, 64, generator=g)

    def fit(self, global_state, template, round_idx, lr=0.02, batches=1):
        net = copy.deepcopy(template)
        net.load_state_dict(global_state)
        opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.5)
        for _ in range(batches):
            i = torch.randint(0, len(self.y), (32,))
            loss = F.cross_entropy(net(self.x[i]), self.y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
        w = {k: v.detach().numpy().copy() for k, v in net.state_dict().items()}
        return ClientUpdate(self.cid, round_idx, len(self.y), w, loss.item())


class Server:
    def __init__(self, clients: List[Client], frac=0.25):
        self.clients, self.frac = clients, frac
        self.net = HARNet()
        self.ledger: List[ClientUpdate] = []

    def select(self):
        k = max(1, int(self.frac * len(self.clients)))
        return [self.clients[i] for i in torch.randperm(len(self.clients))[:k].tolist()]

    def aggregate(self, updates):
        total = sum(u.n for u in updates)
        state = {}
        for k in updates[0].weights:
            state[k] = torch.from_numpy(sum(u.weights[k] * (u.n / total) for u in updates))
        self.net.load_state_dict(state)

    def run_round(self, r):
        gs = self.net.state_dict()
        updates = [c.fit(gs, self.net, r) for c in self.select()]
        self.ledger.extend(updates)  # <- culprit
        self.aggregate(updates)
        return sum(u.loss for u in updates) / len(updates)

    def participation(self):
        counts = {}
        for u in self.ledger:
            counts[u.cid] = counts.get(u.cid, 0) + 1
        return counts


def main(rounds=180):
    torch.manual_seed(33)
    server = Server([Client(i, 100 + i) for i in range(8)])
    for r in range(rounds):
        loss = server.run_round(r)
        if r % 30 == 0:
            print(f"round {r}: mean client loss {loss:.4f}, busiest {max(server.participation().values())}")


if __name__ == "__main__":
    main()
