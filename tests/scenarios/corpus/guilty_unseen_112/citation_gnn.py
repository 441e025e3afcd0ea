# gradwatch-corpus: kind=graph-unused
# first-bad: 0
# notice: 8
"""Node classification on a synthetic citation graph, trained on sampled neighbourhoods.

Validation and test scores are wanted for every step because the learning curve itself is
what the study is about.
"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED, STEPS = 3, 240
N, CLASSES, FEATS = 360, 5, 40


def citation_graph(rng):
    label = rng.integers(CLASSES, size=N)
    same = label[:, None] == label[None, :]
    prob = np.where(same, 0.035, 0.006)
    adj = np.triu(rng.random((N, N)) < prob, 1)
    adj = (adj | adj.T).astype(np.float32)
    words = rng.random((CLASSES, FEATS)) < 0.25
    x = rng.random((N, FEATS)) < np.where(words[label], 0.35, 0.15)
    return torch.from_numpy(adj), torch.from_numpy(x.astype(np.float32)), torch.from_numpy(label)


def propagate_matrix(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GCN(nn.Module):
    def __init__(self, hidden=24, layers=3, p=0.4):
        super().__init__()
        sizes = [FEATS] + [hidden] * (layers - 1) + [CLASSES]
        self.lins = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.p = p

    def forward(self, x, prop):
        for k, lin in enumerate(self.lins):
            x = prop @ lin(x)
            if k + 1 < len(self.lins):
                x = F.dropout(F.relu(x), self.p, self.training)
        return x


class Study:
    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.adj, self.x, self.y = citation_graph(rng)
        self.full = propagate_matrix(self.adj)
        order = torch.from_numpy(rng.permutation(N))
        self.parts = {"train": order[:120], "val": order[120:220], "test": order[220:]}
        self.model = GCN()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=8e-3, weight_decay=5e-4)
        self.curve = []

    def fit_step(self):
        self.model.train()
        keep = torch.randperm(N)[:240]
        prop = propagate_matrix(self.adj[keep][:, keep])
        known = torch.isin(keep, self.parts["train"])
        out = self.model(self.x[keep], prop)
        loss = F.cross_entropy(out[known], self.y[keep][known])
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def score(self, part):
        self.model.eval()
        idx = self.parts[part]
        out = self.model(self.x, self.full)[idx]  # <- culprit
        nll = F.cross_entropy(out, self.y[idx])
        acc = (out.argmax(1) == self.y[idx]).float().mean()
        return nll.item(), acc.item()

    def run(self, steps):
        for s in range(steps):
            loss = self.fit_step()
            (vn, va), (tn, ta) = self.score("val"), self.score("test")  # <- culprit
            self.curve.append((loss, vn, va, tn, ta))
            if s % 40 == 0:
                print(f"{s:4d}  train {loss:.3f}  val {vn:.3f}/{va:.2f}  test {tn:.3f}/{ta:.2f}")
        best = max(range(steps), key=lambda i: self.curve[i][2])
        print(f"best validation at step {best}: test accuracy {self.curve[best][4]:.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    Study(SEED).run(STEPS)
