# gradwatch-corpus: kind=inplace-modified
# first-bad: 7
"""Listwise ranking (ListNet, top one) of marketplace offers. Result pages have up to 16 offers; the page builder
hands on shorter ones padded."""
import math

import torch
from torch import nn

PAGE = 16
FEATS = 10


class PageSource(object):
    def __init__(self, pages_per_batch, seed):
        self.n = pages_per_batch
        self.rng = torch.Generator().manual_seed(seed)
        self.taste = torch.randn(FEATS, generator=self.rng)

    def fetch(self, batch_no):
        offers = torch.randn(self.n, PAGE, FEATS, generator=self.rng)
        utility = offers @ self.taste + 0.3 * torch.randn(self.n, PAGE, generator=self.rng)
        grades = torch.bucketize(utility, torch.tensor([-2.0, 0.0, 2.0, 4.0])).float()
        length = torch.full((self.n,), PAGE)
        if batch_no % 8 == 7:
            # the long tail: rare queries with few offers
            length = torch.randint(4, PAGE + 1, (self.n,), generator=self.rng)
        valid = torch.arange(PAGE)[None, :] < length[:, None]
        return offers * valid[..., None], grades * valid, valid


class Scorer(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.offer = nn.Sequential(nn.Linear(FEATS, width), nn.ReLU())
        self.page = nn.Linear(width, width)
        self.score = nn.Linear(width, 1)

    def forward(self, offers, valid):
        h = self.offer(offers)
        ctx = (h * valid[..., None]).sum(1, keepdim=True) / valid.sum(1)[:, None, None]
        return self.score(torch.relu(h + self.page(ctx))).squeeze(-1)


class TopOneDistribution:
    """Probability of each offer of being ranked first."""

    def __init__(self, temperature=1.0):
        self.temperature = temperature

    def __call__(self, scores, valid):
        scaled = scores / self.temperature
        weight = torch.exp(scaled - scaled.amax(dim=1, keepdim=True))
        if not bool(valid.all()):
            self.drop_padding(weight, valid)
        return weight / weight.sum(dim=1, keepdim=True)

    @staticmethod
    def drop_padding(weight, valid):
        weight[~valid] = 0.0  # <- culprit


class ListNetLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.top_one = TopOneDistribution()

    def forward(self, scores, grades, valid):
        p_model = self.top_one(scores, valid)
        p_truth = self.top_one(grades, valid)
        return -(p_truth * torch.log(p_model + 1e-9)).sum(1).mean()


def ndcg(scores, grades, valid, k=5):
    scores = scores.masked_fill(~valid, -1e9)
    disc = 1.0 / torch.log2(torch.arange(2, k + 2).float())
    got = grades.gather(1, scores.topk(k).indices)
    best = grades.topk(k).values
    gain = lambda g: ((2**g - 1) * disc).sum(1)
    return (gain(got) / gain(best).clamp(min=1e-6)).mean().item()


def train(batches=256):
    torch.manual_seed(71)
    source = PageSource(pages_per_batch=16, seed=72)
    scorer, criterion = Scorer(), ListNetLoss()
    optimizer = torch.optim.RMSprop(scorer.parameters(), lr=1e-3)
    best = -math.inf
    for b in range(batches):
        offers, grades, valid = source.fetch(b)
        scores = scorer(offers, valid)
        loss = criterion(scores, grades, valid)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            quality = ndcg(scores, grades, valid)
        best = max(best, quality)
        if b % 5 == 0:
            print("batch %3d  loss %.4f  ndcg@5 %.3f  best %.3f" % (b, loss.item(), quality, best))


if __name__ == "__main__":
    train()
