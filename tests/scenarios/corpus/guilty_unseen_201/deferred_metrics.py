# gradwatch-corpus: kind=graph-held
# holder: deferred
# first-bad: 1
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(52)

USERS, ITEMS, DIM = 200, 120, 16


class BPR(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(USERS, DIM)
        self.item = nn.Embedding(ITEMS, DIM)
        self.bias = nn.Embedding(ITEMS, 1)
        nn.init.zeros_(self.bias.weight)

    def score(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def forward(self, u, pos, neg):
        return self.score(u, pos) - self.score(u, neg)


true_u, true_i = torch.randn(USERS, 4), torch.randn(ITEMS, 4)
affinity = true_u @ true_i.t()


def triples(n):
    u = torch.randint(0, USERS, (n,))
    a, b = torch.randint(0, ITEMS, (n,)), torch.randint(0, ITEMS, (n,))
    better = affinity[u, a] > affinity[u, b]
    return u, torch.where(better, a, b), torch.where(better, b, a)


@torch.no_grad()
def auc(model, n=1000):
    u, pos, neg = triples(n)
    return (model(u, pos, neg) > 0).float().mean().item()


model = BPR()
opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
deferred = []


def later(step, margin, reg):
    def row():
        return {"step": step, "margin": margin.mean().item(), "reg": reg.item()}
    deferred.append(row)  # <- culprit


for step in range(500):
    u, pos, neg = triples(128)
    margin = model(u, pos, neg)
    reg = model.user(u).pow(2).sum(1).mean() + model.item(pos).pow(2).sum(1).mean()
    loss = -F.logsigmoid(margin).mean() + 1e-4 * reg
    opt.zero_grad()
    loss.backward()
    opt.step()
    later(step, margin, reg)
    if step % 100 == 99:
        print(f"step {step + 1} loss {loss.item():.4f} auc {auc(model):.3f}")

rows = [row() for row in deferred]
print(rows[0])
print(rows[-1])
