# gradwatch-corpus: kind=graph-chain
# holder: self.value | objective.value
# first-bad: 1
# notice: 5
"""Bayesian personalised ranking with matrix factorisation."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(6)


class Clicks(Dataset):
    def __init__(self, n_users=120, n_items=200, n=1600):
        u_f, i_f = torch.randn(n_users, 4), torch.randn(n_items, 4)
        self.u = torch.randint(0, n_users, (n,))
        affinity = u_f[self.u] @ i_f.T
        self.i = torch.multinomial(affinity.softmax(-1), 1).squeeze(1)
        self.n_items = n_items

    def __len__(self):
        return len(self.u)

    def __getitem__(self, k):
        return self.u[k], self.i[k], torch.randint(0, self.n_items, ()).item()


class MF(nn.Module):
    def __init__(self, n_users, n_items, k=16):
        super().__init__()
        self.P = nn.Embedding(n_users, k)
        self.Q = nn.Embedding(n_items, k)
        self.b = nn.Embedding(n_items, 1)
        for e in (self.P, self.Q):
            nn.init.normal_(e.weight, std=0.1)
        nn.init.zeros_(self.b.weight)

    def forward(self, u, i):
        return (self.P(u) * self.Q(i)).sum(-1) + self.b(i).squeeze(-1)


class Objective:
    """Ranking loss plus regulariser; `value` is what the progress line shows."""

    def __init__(self, model, reg):
        self.model, self.reg = model, reg
        self.start()

    def start(self):
        self.value, self.seen = 0.0, 0

    def add(self, u, pos, neg):
        margin = self.model(u, pos) - self.model(u, neg)
        rank = -F.logsigmoid(margin).mean()
        decay = self.model.P(u).square().mean() + self.model.Q(pos).square().mean()
        self.value = self.value + rank + self.reg * decay  # <- culprit
        self.seen += 1
        return self.value  # <- culprit

    @property
    def average(self):
        return float(self.value.detach()) / self.seen


def main():
    data = Clicks()
    loader = DataLoader(data, batch_size=32, shuffle=True)
    model = MF(120, 200)
    objective = Objective(model, reg=0.05)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    for epoch in range(2):
        objective.start()
        for u, i, j in loader:
            loss = objective.add(u, i, j)
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
        print(f"epoch {epoch} objective {objective.average:.4f}")


if __name__ == "__main__":
    main()
