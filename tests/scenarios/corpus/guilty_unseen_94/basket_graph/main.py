# gradwatch-corpus: kind=second-backward
# holder: self._store | self.book.tables._store | tables._store | table | items | self._store[month] | book.tables | rec.book.tables._store
# first-bad: 24
# notice: 0
"""Next-item prediction for supermarket baskets with an item-item graph.

There is one co-purchase graph per month; baskets of month m are scored with the
item table that was propagated over graph m.
"""
import torch

from baskets import BasketData
from recommender import BasketRecommender

torch.set_num_threads(1)
torch.manual_seed(77)


def evaluate(rec, data):
    rec.eval()
    hits = 0
    with torch.no_grad():
        for month in range(data.months):
            ctx, target = data.batch(month, 128)
            scores = rec(month, ctx)
            hits += (scores.topk(5).indices == target[:, None]).any(1).float().mean().item()
    rec.train()
    return hits / data.months


def main(years=6):
    data = BasketData(items=60, months=24)
    rec = BasketRecommender(data.graphs, items=60, dim=12)
    opt = torch.optim.Adagrad(rec.parameters(), lr=0.08)
    loss_fn = torch.nn.CrossEntropyLoss()

    for year in range(years):
        total = 0.0
        for month in range(data.months):
            ctx, target = data.batch(month, 32)
            loss = loss_fn(rec(month, ctx), target)
            opt.zero_grad()
            loss.backward()  # <- culprit
            opt.step()
            total += loss.item()
        print(f"pass {year}: loss {total / data.months:.4f}")
    print("hit@5", round(evaluate(rec, data), 3))


if __name__ == "__main__":
    main()
