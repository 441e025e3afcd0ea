# gradwatch-corpus: kind=graph-held
# holder: self.pending | report.pending | job.report.pending
# first-bad: 1
"""Predicts protein solubility from sequence (toy peptides). Per-batch figures are gathered for a
run report that gets written when training is done."""
import csv
import io

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence

AA = "ACDEFGHIKLMNPQRSTVWY"
CHARGED = set("DEKR")
GREASY = set("AILMFVW")


def random_peptides(n, seed):
    g = torch.Generator().manual_seed(seed)
    seqs, ys = [], []
    for _ in range(n):
        ln = int(torch.randint(12, 30, (), generator=g))
        idx = torch.randint(len(AA), (ln,), generator=g)
        s = "".join(AA[i] for i in idx.tolist())
        frac = (sum(c in CHARGED for c in s) - 0.6 * sum(c in GREASY for c in s)) / ln
        seqs.append(s)
        ys.append(float(torch.sigmoid(torch.tensor(8 * frac))))
    return seqs, torch.tensor(ys)


def encode(seqs):
    toks = [torch.tensor([AA.index(c) + 1 for c in s]) for s in seqs]
    return pad_sequence(toks, batch_first=True)


class SolubilityNet(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.emb = nn.Embedding(len(AA) + 1, dim, padding_idx=0)
        self.conv = nn.Conv1d(dim, 32, 5, padding=2)
        self.att = nn.Linear(32, 1)
        self.head = nn.Linear(32, 1)

    def forward(self, tok):
        h = torch.relu(self.conv(self.emb(tok).transpose(1, 2))).transpose(1, 2)
        w = self.att(h).squeeze(-1).masked_fill(tok == 0, -1e4).softmax(-1)
        return torch.sigmoid(self.head((w.unsqueeze(-1) * h).sum(1))).squeeze(-1), w


class RunReport:
    """Rows are worked out at the end, so that training isn't slowed by formatting."""

    def __init__(self):
        self.pending = []

    def later(self, row):
        self.pending.append(row)  # <- culprit

    def write(self, fh):
        out = csv.writer(fh)
        out.writerow(["step", "mse", "r", "focus"])
        for row in self.pending:
            out.writerow(row())
        self.pending.clear()


def pearson(a, b):
    a, b = a - a.mean(), b - b.mean()
    return float((a @ b) / (a.norm() * b.norm() + 1e-8))


class SolubilityJob:
    def __init__(self, steps=450, batch=24):
        self.steps, self.batch = steps, batch
        self.seqs, self.y = random_peptides(600, seed=1)
        self.net = SolubilityNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.report = RunReport()

    def step(self, k):
        pick = torch.randint(len(self.seqs), (self.batch,))
        tok = encode([self.seqs[i] for i in pick.tolist()])
        y = self.y[pick]
        pred, w = self.net(tok)
        mse = ((pred - y) ** 2).mean()
        self.opt.zero_grad()
        mse.backward()
        self.opt.step()

        def row():
            focus = w.max(dim=1).values.mean()
            return [k, f"{float(mse):.5f}", f"{pearson(pred, y):.3f}", f"{float(focus):.3f}"]

        self.report.later(row)  # <- culprit
        return mse.item()

    def run(self):
        for k in range(self.steps):
            v = self.step(k)
            if k % 75 == 0:
                print(f"step {k}: mse {v:.4f}")
        buf = io.StringIO()
        self.report.write(buf)
        return buf.getvalue()


if __name__ == "__main__":
    torch.manual_seed(2)
    job = SolubilityJob()
    text = job.run()
    print("\n".join(text.splitlines()[:1] + text.splitlines()[-5:]))
