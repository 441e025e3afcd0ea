# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Message passing regression on random molecule-like graphs."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class MPNN(nn.Module):
    def __init__(self, node_dim=8, hidden=32, rounds=3):
        super().__init__()
        self.embed = nn.Linear(node_dim, hidden)
        self.message = nn.Sequential(nn.Linear(2 * hidden + 1, hidden), nn.ReLU())
        self.update = nn.GRUCell(hidden, hidden)
        self.readout = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.rounds = rounds

    def forward(self, g):
        h = torch.relu(self.embed(g["x"]))
        src, dst = g["edge_index"]
        for _ in range(self.rounds):
            m = self.message(torch.cat([h[src], h[dst], g["edge_attr"]], 1))
            agg = torch.zeros_like(h).index_add(0, dst, m)
            h = self.update(agg, h)
        pooled = torch.zeros(g["num_graphs"], h.size(1)).index_add(0, g["batch"], h)
        return self.readout(pooled).squeeze(1)


class MoleculeStream:
    def __init__(self, seed=31):
        self.g = torch.Generator().manual_seed(seed)

    def _one(self):
        n = int(torch.randint(5, 11, (1,), generator=self.g))
        x = F.one_hot(torch.randint(0, 8, (n,), generator=self.g), 8).float()
        ring = torch.stack([torch.arange(n), (torch.arange(n) + 1) % n])
        chord = torch.randint(0, n, (2, 2), generator=self.g)
        e = torch.cat([ring, ring.flip(0), chord, chord.flip(0)], 1)
        return x, e, torch.rand(e.size(1), 1, generator=self.g)

    def batch(self, size=16):
        xs, es, attrs, ids, off = [], [], [], [], 0
        for k in range(size):
            x, e, a = self._one()
            xs.append(x), es.append(e + off), attrs.append(a)
            ids.append(torch.full((x.size(0),), k))
            off += x.size(0)
        g = dict(x=torch.cat(xs), edge_index=torch.cat(es, 1), edge_attr=torch.cat(attrs),
                 batch=torch.cat(ids), num_graphs=size)
        w = torch.linspace(-1, 1, 8)
        y = torch.zeros(size).index_add(0, g["batch"], g["x"] @ w)
        return g, y


class EarlyStop:
    def __init__(self, patience=50):
        self.best, self.bad, self.patience = float("inf"), 0, patience

    def __call__(self, value):
        self.bad = 0 if value < self.best else self.bad + 1
        self.best = min(self.best, value)
        return self.bad > self.patience


class Regressor:
    def __init__(self, lr=1e-4):
        self.model = MPNN()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, 0.97)

    def fit(self, stream, epochs=12, steps=40):
        stop = EarlyStop()
        for epoch in range(epochs):
            total = 0.0
            for _ in range(steps):
                graph, y = stream.batch()
                self.optimizer.zero_grad  # <- culprit
                loss = F.smooth_l1_loss(self.model(graph), y)
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            self.scheduler.step()
            print(f"epoch {epoch:2d} loss {total / steps:.4f} lr {self.scheduler.get_last_lr()[0]:.2e}")
            if stop(total / steps):
                break


if __name__ == "__main__":
    torch.manual_seed(0)
    Regressor().fit(MoleculeStream())
