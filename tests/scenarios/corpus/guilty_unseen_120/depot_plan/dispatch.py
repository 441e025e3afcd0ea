import torch

from loadmodel import Overloaded, plan_cost


class Desk:
    def __init__(self, model, lr, capacity):
        self.model = model
        self.capacity = capacity
        self.opt = torch.optim.RMSprop(model.parameters(), lr=lr)
        self.rejected = []

    def orders(self, depot):
        n = 10
        if depot == 2:  # harbour: everything goes to one corner of the town
            xy = torch.tensor([2.5, 2.5]) + 0.05 * torch.randn(n, 2)
        else:
            xy = torch.randn(n, 2) * 1.5
        return xy, torch.rand(n) + 0.5

    def day(self, day):
        costs = []
        for depot in range(4):
            xy, weight = self.orders(depot)
            try:
                costs.append(plan_cost(self.model, depot, xy, weight, self.capacity))
            except Overloaded as err:
                self.rejected.append(err)  # <- culprit
        if not costs:
            return float("nan")
        total = torch.stack(costs).mean()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item()
