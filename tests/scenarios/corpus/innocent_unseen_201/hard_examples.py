# gradwatch-corpus: kind=none
import heapq
import itertools

import torch
from torch import nn

tick = itertools.count()


class WorstBatches:
    """The k batches of largest loss, for the report."""

    def __init__(self, k):
        self.k = k
        self.heap = []

    def offer(self, loss, ids):
        entry = (loss.item(), next(tick), loss, ids)
        if len(self.heap) < self.k:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def ids(self):
        return torch.cat([ids for _, _, _, ids in self.heap]).unique()

    def mean(self):
        return torch.stack([loss for _, _, loss, _ in self.heap]).mean()


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(24, 48), nn.LeakyReLU(0.1), nn.Linear(48, 12))

    def forward(self, a, p, n):
        return self.embed(a), self.embed(p), self.embed(n)


def triplets(x, y, ids, gen):
    pos, neg = [], []
    for i in ids.tolist():
        same = (y == y[i]).nonzero().squeeze(1)
        diff = (y != y[i]).nonzero().squeeze(1)
        pos.append(same[torch.randint(len(same), (), generator=gen)])
        neg.append(diff[torch.randint(len(diff), (), generator=gen)])
    return x[ids], x[torch.stack(pos)], x[torch.stack(neg)]


def main():
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(18)
    y = torch.randint(0, 9, (600,))
    x = torch.randn(9, 24)[y] + 1.1 * torch.randn(600, 24)
    model = Siamese()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    triplet = nn.TripletMarginLoss(margin=1.0)
    extra = torch.empty(0, dtype=torch.long)
    for epoch in range(12):
        worst = WorstBatches(10)
        total = 0.0
        order = torch.cat([torch.randperm(600), extra])
        for ids in order.split(16):
            loss = triplet(*model(*triplets(x, y, ids, gen)))
            opt.zero_grad()
            loss.backward()
            opt.step()
            worst.offer(loss, ids)
            total += loss.item() * len(ids)
        extra = worst.ids()[:80]
        print(f"epoch {epoch} loss {total / len(order):.4f} worst {worst.mean().item():.4f} repeat {len(extra)}")


if __name__ == "__main__":
    main()
