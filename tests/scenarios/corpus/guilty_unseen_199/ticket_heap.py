# gradwatch-corpus: kind=graph-held
# holder: self.by_id | shelf.by_id
# first-bad: 1
"""Ranking model for support tickets; the worst-ranked lists stay within reach for review."""
import heapq

import torch
from torch import nn


class ReviewShelf:
    """Ten worst lists, looked up by id."""

    def __init__(self, size=10):
        self.size = size
        self.heap = []
        self.by_id = {}

    def consider(self, ident, scores, loss):
        key = (loss.item(), ident)
        self.by_id[ident] = {"scores": scores, "loss": loss}  # <- culprit
        heapq.heappush(self.heap, key)
        if len(self.heap) > self.size:
            heapq.heappop(self.heap)  # <- culprit

    def worst(self):
        _, ident = max(self.heap)
        entry = self.by_id[ident]
        return ident, entry["loss"].item(), entry["scores"].detach().topk(3).indices.tolist()


class Ranker(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.embed = nn.Linear(dim, 32)
        self.attend = nn.MultiheadAttention(32, 2, batch_first=True)
        self.score = nn.Linear(32, 1)

    def forward(self, items):
        h = torch.relu(self.embed(items))
        mixed, _ = self.attend(h, h, h, need_weights=False)
        return self.score(h + mixed).squeeze(-1)


def listwise(scores, relevance):
    target = torch.softmax(relevance, -1)
    return -(target * torch.log_softmax(scores, -1)).sum(-1).mean()


def tickets(seed, count, dim=9):
    gen = torch.Generator().manual_seed(seed)
    urgency = torch.randn(dim, generator=gen)
    for ident in range(count):
        items = torch.randn(4, 12, dim, generator=gen)
        noise = 0.3 * torch.randn(4, 12, generator=gen)
        yield ident, items, items @ urgency + noise


def main():
    torch.manual_seed(8)
    model, shelf = Ranker(9), ReviewShelf()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    mean = 0.0
    for ident, items, relevance in tickets(9, 600):
        scores = model(items)
        loss = listwise(scores, relevance)
        opt.zero_grad()
        loss.backward()
        opt.step()
        shelf.consider(ident, scores[0], loss)
        mean = loss.item() if ident == 0 else 0.98 * mean + 0.02 * loss.item()
        if ident % 120 == 119:
            print(f"{ident + 1} {mean:.4f}", shelf.worst())


if __name__ == "__main__":
    main()
