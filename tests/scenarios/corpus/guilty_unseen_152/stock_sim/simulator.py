from dataclasses import dataclass

import torch


@dataclass
class Costs:
    holding: float = 0.1
    shortage: float = 1.5
    ordering: float = 0.3


class Simulator:
    """Rolls the stock of a shop over the days of a demand scenario."""

    def __init__(self, policy, costs):
        self.policy = policy
        self.costs = costs

    def roll(self, demand, opening):
        days, items = demand.shape
        stock = torch.zeros(days + 1, items)
        stock[0] = opening
        ordered = []
        for day in range(days):
            order = self.policy.order(stock[day])
            stock[day + 1] = self.policy.keep * stock[day] + order - demand[day]  # <- culprit
            ordered.append(order)
        return stock[1:], torch.stack(ordered)

    def cost(self, demand, opening):
        stock, ordered = self.roll(demand, opening)
        held = torch.relu(stock).mean()
        short = torch.relu(-stock).mean()
        return self.costs.holding * held + self.costs.shortage * short + self.costs.ordering * ordered.mean()
