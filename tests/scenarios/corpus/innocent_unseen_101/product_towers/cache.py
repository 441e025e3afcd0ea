from collections import OrderedDict

import torch


class RecentItems:
    """LRU of item vectors, as the tower made them, each with the step it comes from."""

    def __init__(self, capacity, max_age):
        self.capacity = capacity
        self.max_age = max_age
        self._items = OrderedDict()

    def __len__(self):
        return len(self._items)

    def update(self, step, ids, vectors):
        for i, vec in zip(ids, vectors):
            self._items[i] = (step, vec)
            self._items.move_to_end(i)
        while len(self._items) > self.capacity:
            self._items.popitem(last=False)
        while step - next(iter(self._items.values()))[0] > self.max_age:
            self._items.popitem(last=False)

    def negatives(self, exclude, like):
        pool = [vec for i, (_, vec) in self._items.items() if i not in exclude]
        if not pool:
            return like.new_zeros(0, like.size(1))
        return torch.stack(pool).detach()

    @torch.no_grad()
    def drift(self, tower):
        ids = torch.tensor(list(self._items))
        old = torch.stack([vec for _, vec in self._items.values()])
        return (tower(ids) - old).norm(dim=1).mean().item()
