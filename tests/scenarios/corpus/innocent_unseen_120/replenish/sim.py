from collections import defaultdict, deque

import torch


class Warehouse:
    def __init__(self, skus, lead):
        self.skus, self.lead = skus, lead
        self.rate = torch.linspace(0.5, 1.5, skus)

    def reset(self):
        self.stock = torch.full((self.skus,), 2.0)
        self.sold = torch.zeros(self.skus)
        self.pipeline = deque([torch.zeros(self.skus)] * self.lead)

    def state(self):
        return {"stock": self.stock, "transit": sum(self.pipeline), "sold": self.sold}

    def advance(self, order):
        self.pipeline.append(order)
        self.stock = self.stock + self.pipeline.popleft()
        demand = self.rate * (0.5 + torch.rand(self.skus))
        self.stock = self.stock - demand
        self.sold = demand
        return (
            self.stock.clamp_min(0).sum() * 0.1,
            (-self.stock).clamp_min(0).sum() * 0.9,
            (order.sum() + 0.2).sqrt() * 0.3,
        )


class Fortnight:
    """Costs of two weeks, by heading."""

    def __init__(self):
        self.rows = defaultdict(list)

    def open(self):
        self.rows.clear()

    def book(self, **costs):
        for heading, amount in costs.items():
            self.rows[heading].append(amount)

    def bill(self):
        return sum(torch.stack(v).mean() for v in self.rows.values())

    def split(self):
        return {k: torch.stack(v).mean().item() for k, v in self.rows.items()}
