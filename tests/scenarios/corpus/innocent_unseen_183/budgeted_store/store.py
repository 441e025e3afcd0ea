class Budget:
    """Counts elements, not entries."""

    def __init__(self, limit):
        self.limit = limit
        self.used = 0

    def take(self, n):
        self.used += n

    def give(self, n):
        self.used -= n

    @property
    def exceeded(self):
        return self.used > self.limit


class FeatureStore:
    def __init__(self, budget):
        self.budget = budget
        self.entries = {}

    def save(self, name, tensor):
        self.entries[name] = tensor
        self.budget.take(tensor.numel())
        while self.budget.exceeded:
            self.evict_oldest()

    def evict_oldest(self):
        name = next(iter(self.entries))
        self.budget.give(self.entries.pop(name).numel())

    def norms(self):
        return [t.norm().item() for t in self.entries.values()]
