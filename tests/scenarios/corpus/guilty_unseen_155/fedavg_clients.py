# gradwatch-corpus: kind=graph-held
# holder: log | summarise.__defaults__
# first-bad: 1
# notice: 8
import copy

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(21)

N_CLIENTS, ROUNDS, LOCAL_STEPS = 4, 10, 3


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.body(x))


def make_shards():
    w = torch.randn(10, 3)
    shards = []
    for c in range(N_CLIENTS):
        x = torch.randn(96, 10) + 0.3 * c
        shards.append((x, (x @ w).argmax(1)))
    return shards


def summarise(client, ce, drift, log=[]):
    """Per client statistics, printed by the server at the end of a round."""
    log.append((client, ce, drift))  # <- culprit
    mine = [float(c) for who, c, _ in log if who == client]
    return min(mine), mine[-1]


class Client:
    def __init__(self, cid, shard, mu=0.1):
        self.cid, self.mu = cid, mu
        self.x, self.y = shard

    def train(self, server_model, gen):
        model = copy.deepcopy(server_model)
        anchor = [p.detach().clone() for p in model.parameters()]
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(LOCAL_STEPS):
            idx = torch.randint(0, len(self.x), (32,), generator=gen)
            ce = F.cross_entropy(model(self.x[idx]), self.y[idx])
            drift = sum(((p - a) ** 2).sum() for p, a in zip(model.parameters(), anchor))
            opt.zero_grad()
            (ce + 0.5 * self.mu * drift).backward()
            opt.step()
            self.best, self.last = summarise(self.cid, ce, drift)  # <- culprit
        return model.state_dict()


class Server:
    def __init__(self, clients):
        self.model = Mlp()
        self.clients = clients

    def aggregate(self, states):
        mean = {k: torch.stack([s[k] for s in states]).mean(0) for k in states[0]}
        self.model.load_state_dict(mean)

    def run(self):
        gen = torch.Generator().manual_seed(0)
        for r in range(ROUNDS):
            self.aggregate([c.train(self.model, gen) for c in self.clients])
            if r % 3 == 0:
                print(r, [f"{c.best:.3f}/{c.last:.3f}" for c in self.clients])


if __name__ == "__main__":
    Server([Client(i, s) for i, s in enumerate(make_shards())]).run()
