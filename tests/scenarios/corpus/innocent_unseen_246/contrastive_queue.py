# gradwatch-corpus: kind=none
import collections
import copy

import torch
from torch import nn
import torch.nn.functional as F


class KeyQueue:
    """The most recent item keys, used as negatives."""

    def __init__(self, blocks):
        self.blocks = collections.deque(maxlen=blocks)

    def negatives(self):
        if not self.blocks:
            return None
        return torch.cat(list(self.blocks))

    def enqueue(self, keys):
        self.blocks.append(keys)


class ItemTower(nn.Module):
    def __init__(self, attributes, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(attributes, 64), nn.ReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class History:
    def __init__(self):
        self.rows = collections.defaultdict(list)
        self.best = None

    def log(self, **values):
        for key, value in values.items():
            self.rows[key].append(value.item() if torch.is_tensor(value) else value)
        loss = self.rows["loss"][-1]
        if self.best is None or loss < self.best:
            self.best = loss


class MomentumPretrainer:
    def __init__(self, tower, queue, momentum=0.98, temperature=0.1):
        self.online = tower
        self.slow = copy.deepcopy(tower)
        self.slow.requires_grad_(False)
        self.queue = queue
        self.momentum = momentum
        self.temperature = temperature
        self.optimizer = torch.optim.SGD(tower.parameters(), lr=0.05, momentum=0.9)
        self.history = History()

    def similarity(self, query, key, negatives):
        positive = (query * key).sum(dim=1, keepdim=True)
        if negatives is None:
            others = query @ key.t()
            return torch.cat([positive, others], dim=1)
        return torch.cat([positive, query @ negatives.t()], dim=1)

    def step(self, left, right):
        query = self.online(left)
        key = self.slow(right)
        logits = self.similarity(query, key, self.queue.negatives()) / self.temperature
        labels = torch.zeros(len(left), dtype=torch.long)
        loss = F.cross_entropy(logits, labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.follow()
        self.queue.enqueue(key)
        spread = query.detach().std(dim=0).mean()
        self.history.log(loss=loss, spread=spread)

    @torch.no_grad()
    def follow(self):
        for slow, fast in zip(self.slow.parameters(), self.online.parameters()):
            slow.mul_(self.momentum).add_(fast, alpha=1 - self.momentum)


def product_views(attributes, batch, seed):
    gen = torch.Generator().manual_seed(seed)
    catalogue = torch.randn(600, attributes, generator=gen)
    while True:
        picks = torch.randint(0, 600, (batch,), generator=gen)
        base = catalogue[picks]
        left = base + 0.2 * torch.randn(base.shape, generator=gen)
        mask = (torch.rand(base.shape, generator=gen) > 0.2).float()
        yield left, base * mask


def main():
    torch.manual_seed(2)
    trainer = MomentumPretrainer(ItemTower(30, 24), KeyQueue(blocks=12))
    views = product_views(30, 40, seed=2)
    for step in range(150):
        trainer.step(*next(views))
        if step % 50 == 0:
            print(step, {k: round(v[-1], 4) for k, v in trainer.history.rows.items()})
    print("best", round(trainer.history.best, 4))


if __name__ == "__main__":
    main()
