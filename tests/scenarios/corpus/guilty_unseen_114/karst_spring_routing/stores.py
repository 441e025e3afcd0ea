"""Linear stores: each drains a fixed fraction of its content per day."""
import torch


class Store:
    """Common water balance of every store in the cascade."""

    recession = 0.1

    def __init__(self, n_springs):
        self.n_springs = n_springs
        self.storage = torch.zeros(n_springs)

    def outflow(self):
        return self.recession * self.storage

    def advance(self, inflow):
        released = self.outflow()
        self.storage = self.storage - released + inflow  # <- culprit
        return released


class Epikarst(Store):
    recession = 0.35


class Conduit(Store):
    recession = 0.6


class Matrix(Store):
    recession = 0.04


class Cascade:
    def __init__(self, n_springs):
        self.stores = [Epikarst(n_springs), Conduit(n_springs), Matrix(n_springs)]

    def route(self, recharge):
        """recharge: (springs, stores) -> spring discharge (springs,)"""
        parts = []
        for column, store in enumerate(self.stores):
            parts.append(store.advance(recharge[:, column]))
            parts.append(0.25 * store.outflow())
        return torch.stack(parts).sum(0)

    def total_water(self):
        return float(sum(s.storage.detach().sum() for s in self.stores))
