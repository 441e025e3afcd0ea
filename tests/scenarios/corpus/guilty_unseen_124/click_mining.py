# gradwatch-corpus: kind=crashed
# holder: scores | costs | loss
# first-bad: 80
# notice: 0
"""Click-through model; plain averaging first, then only the costliest impressions count."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(66)


class FactorisationMachine(nn.Module):
    def __init__(self, n, k=5):
        super().__init__()
        self.w = nn.Embedding(n, 1)
        self.v = nn.Embedding(n, k)
        self.b = nn.Parameter(torch.zeros(1))

    def forward(self, f):
        v = self.v(f)
        pair = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(1)
        return self.b + self.w(f).sum(1).squeeze(1) + pair


def impressions(n=24, fields=3, per=15):
    f = torch.randint(0, per, (n, fields))
    y = ((f[:, 0] + f[:, 1]) % 3 == 0).float()
    return f + torch.arange(fields) * per, y


def one_cost(logit, click):
    return nn.functional.binary_cross_entropy_with_logits(logit, click)


class Averager:
    def __call__(self, logits, clicks):
        return one_cost(logits, clicks)


class Costliest:
    def __init__(self, share):
        self.share = share

    def __call__(self, logits, clicks):
        costs = []
        for lg, c in zip(logits, clicks):
            costs.append(one_cost(lg, c).item())  # <- culprit
        scores = torch.tensor(costs)  # <- culprit
        return scores.topk(int(len(scores) * self.share)).values.mean()


fm = FactorisationMachine(45)
opt = torch.optim.Adam(fm.parameters(), lr=0.02)
phases = iter([(80, Averager()), (160, Costliest(0.25))])
for length, reduce in phases:
    for i in range(length):
        feats, clicks = impressions()
        loss = reduce(fm(feats), clicks)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 40 == 0:
            print(type(reduce).__name__, i, f"{loss.item():.4f}")
