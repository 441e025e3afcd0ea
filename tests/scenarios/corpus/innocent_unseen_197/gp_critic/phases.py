from contextlib import contextmanager
from dataclasses import dataclass, field


@contextmanager
def frozen(module):
    flags = [p.requires_grad for p in module.parameters()]
    module.requires_grad_(False)
    try:
        yield module
    finally:
        for p, flag in zip(module.parameters(), flags):
            p.requires_grad_(flag)


@dataclass
class History:
    values: dict = field(default_factory=dict)

    def extend(self, **scalars):
        for k, v in scalars.items():
            self.values.setdefault(k, []).append(v.item() if hasattr(v, "item") else v)

    def tail(self, key, n=30):
        v = self.values.get(key, [0.0])[-n:]
        return sum(v) / len(v)


class FakePool:
    def __init__(self, capacity):
        self.capacity = capacity
        self.items = []

    def exchange(self, fake):
        self.items.append(fake.detach())
        if len(self.items) > self.capacity:
            self.items.pop(0)
        return self.items[0]
