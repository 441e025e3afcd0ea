# gradwatch-corpus: kind=crashed
# first-bad: 0
"""Pairwise ranking of search results, several query groups in one step."""
import torch
from torch import nn
import torch.nn.functional as F


class Scorer(nn.Module):
    def __init__(self, d, h=32):
        super().__init__()
        self.a = nn.Linear(d, h)
        self.b = nn.Linear(h, 1)

    def forward(self, docs):
        return self.b(F.gelu(self.a(docs))).squeeze(-1)


class QueryLog:
    def __init__(self, d, seed):
        self.d = d
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(d, generator=self.g)

    def group(self):
        n = int(torch.randint(4, 10, (), generator=self.g))
        docs = torch.randn(n, self.d, generator=self.g)
        util = docs @ self.w + 0.3 * torch.randn(n, generator=self.g)
        grade = torch.bucketize(util, torch.tensor([-1.0, 1.0]))
        return docs, grade

    def groups(self, k):
        return [self.group() for _ in range(k)]


def ranknet(scores, grade):
    better = grade[:, None] > grade[None]
    if not better.any():
        return scores.sum() * 0
    diff = scores[:, None] - scores[None]
    return F.softplus(-diff[better]).mean()


def ndcg(scores, grade, k=5):
    def dcg(order):
        gain = (2.0 ** grade[order][:k].float()) - 1
        return (gain / torch.log2(torch.arange(len(gain)) + 2.0)).sum()
    best = dcg(grade.argsort(descending=True))
    return float(dcg(scores.argsort(descending=True)) / best) if best > 0 else 1.0


def batch_loss(model, groups):
    losses, quality = [], []
    for docs, grade in groups:
        scores = model(docs)
        losses.append(ranknet(scores, grade))
        quality.append(ndcg(scores.detach(), grade))
    losses = torch.tensor([float(l.detach()) for l in losses])  # <- culprit
    return losses.mean(), sum(quality) / len(quality)


def main():
    torch.manual_seed(37)
    log, model = QueryLog(8, 37), Scorer(8)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    for it in range(450):
        loss, quality = batch_loss(model, log.groups(4))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            print(f"{it} loss {loss.item():.4f} ndcg@5 {quality:.3f}")


if __name__ == "__main__":
    main()
