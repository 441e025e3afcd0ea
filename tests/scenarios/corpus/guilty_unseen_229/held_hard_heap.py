# gradwatch-corpus: kind=graph-held
# holder: self.heap | hardest.heap | hardest
# first-bad: 1
# Pick the 60 worst-predicted listings so far, for manual review after the fit (house price comp).
import heapq
import itertools

import torch
import torch.nn as nn


class HardestRows:
    def __init__(self, keep=60):
        self.keep = keep
        self.heap = []
        self.tie = itertools.count()

    def offer(self, row_ids, preds, targets):
        errs = (preds - targets).abs()
        for i in errs.topk(3).indices.tolist():
            item = (errs[i].item(), next(self.tie), row_ids[i].item(), preds[i])  # <- culprit
            if len(self.heap) < self.keep:
                heapq.heappush(self.heap, item)  # <- culprit
            else:
                heapq.heappushpop(self.heap, item)

    def report(self, n=5):
        for err, _, row, pred in heapq.nlargest(n, self.heap):
            print(f"  row {row:5d}  |err| {err:.3f}  predicted {pred.item():.3f}")


class TabNet(nn.Module):
    def __init__(self, cards, n_num):
        super().__init__()
        self.embs = nn.ModuleList([nn.Embedding(c, 6) for c in cards])
        width = 6 * len(cards) + n_num
        self.mlp = nn.Sequential(
            nn.Linear(width, 64),
            nn.SiLU(),
            nn.Dropout(0.1),
            nn.Linear(64, 32),
            nn.SiLU(),
            nn.Linear(32, 1),
        )

    def forward(self, cats, nums):
        parts = [emb(cats[:, j]) for j, emb in enumerate(self.embs)]
        parts.append(nums)
        return self.mlp(torch.cat(parts, dim=1)).squeeze(1)


def build_table(n):
    cards = [25, 8, 4]
    cats = torch.stack([torch.randint(0, c, (n,)) for c in cards], dim=1)
    nums = torch.randn(n, 5)
    hood = torch.randn(cards[0])
    price = hood[cats[:, 0]] + 0.8 * nums[:, 0] - 0.4 * nums[:, 1] * nums[:, 2]
    price = price + 0.1 * torch.randn(n)
    odd = torch.rand(n) < 0.01
    price[odd] += 4.0
    return cards, cats, nums, price


def fit_fold(epochs=5, batch=128):
    torch.manual_seed(1337)
    cards, cats, nums, price = build_table(3000)
    net = TabNet(cards, nums.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    loss_fn = nn.HuberLoss()
    hardest = HardestRows()
    for epoch in range(epochs):
        running = 0.0
        batches = torch.randperm(len(price)).split(batch)
        for ids in batches:
            pred = net(cats[ids], nums[ids])
            loss = loss_fn(pred, price[ids])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
            hardest.offer(ids, pred, price[ids])  # <- culprit
        print(f"epoch {epoch} huber {running / len(batches):.4f}")
    hardest.report()


fit_fold()
