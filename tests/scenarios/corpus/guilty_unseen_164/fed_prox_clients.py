# gradwatch-corpus: kind=graph-held
# holder: self.journal | client.journal | clients[i].journal | journal.entries | self.entries | self.journal.entries | client.journal.entries
# first-bad: 1
# notice: 8
"""FedProx on a synthetic non-iid regression problem."""
import copy

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)


class Journal:
    def __init__(self):
        self.entries = {}

    def note(self, key, value):
        self.entries.setdefault(key, []).append(value)  # <- culprit

    def mean(self, key, last=5):
        rows = self.entries.get(key, [])[-last:]
        return sum(float(v) for v in rows) / max(1, len(rows))


class Client:
    def __init__(self, cid, n=64):
        gen = torch.Generator().manual_seed(100 + cid)
        self.cid = cid
        self.x = torch.randn(n, 8, generator=gen)
        shift = torch.randn(8, 1, generator=gen) * 0.5
        self.y = torch.sin(self.x @ (torch.ones(8, 1) * 0.3 + shift))
        self.journal = Journal()
        self.gen = gen

    def fetch(self, model):
        self.model = copy.deepcopy(model)
        self.anchor = [p.detach().clone() for p in model.parameters()]

    def batches(self, count, size=16):
        for _ in range(count):
            idx = torch.randint(0, len(self.x), (size,), generator=self.gen)
            yield self.x[idx], self.y[idx]

    def proximal(self):
        terms = [(p - a).pow(2).sum() for p, a in zip(self.model.parameters(), self.anchor)]
        return torch.stack(terms).sum()

    def fit(self, local_steps):
        opt = torch.optim.SGD(self.model.parameters(), lr=0.05)
        for xb, yb in self.batches(local_steps):
            fit = nn.functional.mse_loss(self.model(xb), yb)
            drift = self.proximal()
            loss = fit + 0.05 * drift
            opt.zero_grad()
            loss.backward()
            opt.step()
            self.journal.note("fit", fit.item())
            self.journal.note("drift", drift)  # <- culprit
        return self.model.state_dict()


class Server:
    def __init__(self, clients):
        self.model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
        self.clients = clients

    def round(self, local_steps):
        states = []
        for client in self.clients:
            client.fetch(self.model)
            states.append(client.fit(local_steps))
        merged = {k: torch.stack([s[k] for s in states]).mean(0) for k in states[0]}
        self.model.load_state_dict(merged)


if __name__ == "__main__":
    server = Server([Client(i) for i in range(4)])
    for rnd in range(6):
        server.round(local_steps=5)
        fits = [c.journal.mean("fit") for c in server.clients]
        drifts = [c.journal.mean("drift") for c in server.clients]
        print(f"round {rnd} fit {sum(fits) / 4:.4f} drift {sum(drifts) / 4:.5f}")
