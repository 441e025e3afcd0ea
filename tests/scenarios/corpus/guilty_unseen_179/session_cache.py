# gradwatch-corpus: kind=graph-held
# holder: self.store | cache.store
# first-bad: 1
"""Next-item recommendation; the session states of the last visitors sit in a cache."""
from collections import OrderedDict

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(101)


class SessionCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.order = OrderedDict()
        self.store = {}

    def put(self, visitor, visit, state):
        self.order[visitor] = visit
        self.order.move_to_end(visitor)
        self.store[visitor, visit] = state  # <- culprit
        while len(self.order) > self.capacity:
            oldest, _ = self.order.popitem(last=False)
            self.store.pop(oldest, None)

    def peek(self, visitor):
        visit = self.order.get(visitor)
        if visit is None:
            return None
        return self.store[visitor, visit].detach()


class NextItem(nn.Module):
    def __init__(self, items=50, dim=24):
        super().__init__()
        self.items = nn.Embedding(items, dim)
        self.gru = nn.GRUCell(dim, dim)
        self.bias = nn.Parameter(torch.zeros(items))

    def forward(self, basket, start):
        h = start
        for item in basket.unbind():
            h = self.gru(self.items(item)[None], h)
        return h, h @ self.items.weight.T + self.bias


class Shop:
    def __init__(self, visitors=60, items=50):
        self.taste = torch.randint(0, items, (visitors,))
        self.items = items
        self.visits = [0] * visitors

    def arrive(self):
        visitor = int(torch.randint(0, len(self.visits), ()))
        self.visits[visitor] += 1
        offsets = torch.cumsum(torch.randint(0, 3, (4,)), 0)
        basket = (self.taste[visitor] + offsets) % self.items
        return visitor, self.visits[visitor], basket[:-1], basket[-1:]


def main():
    shop = Shop()
    model = NextItem()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    cache = SessionCache(capacity=20)
    returning, score = 0, 0.0
    for step in range(640):
        visitor, visit, basket, target = shop.arrive()
        start = cache.peek(visitor)
        if start is None:
            start = torch.zeros(1, 24)
        else:
            returning += 1
        state, logits = model(basket, start)
        loss = F.cross_entropy(logits, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        cache.put(visitor, visit, state)
        hit = int(target in logits.topk(5).indices)
        score = 0.98 * score + 0.02 * hit
        if step % 80 == 0:
            print(f"{step} loss {loss.item():.3f} hit@5 {score:.3f} returning {returning} known {len(cache.order)}")


if __name__ == "__main__":
    main()
