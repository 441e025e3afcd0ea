# gradwatch-corpus: kind=none
import heapq
from dataclasses import dataclass, field
from typing import Callable, Dict, List

import torch
from torch import nn

torch.set_num_threads(1)

FACTORIES: Dict[str, Callable] = {}


def factory(name):
    return lambda fn: FACTORIES.setdefault(name, fn)


@dataclass(order=True)
class Case:
    surprise: float
    step: int
    loss: torch.Tensor = field(compare=False, repr=False)
    bids: torch.Tensor = field(compare=False, repr=False)


class HardCases:
    def __init__(self, size):
        self.size, self.heap = size, []

    def __call__(self, step, loss, bids):
        case = Case(loss.item(), step, loss, bids)
        if len(self.heap) < self.size:
            heapq.heappush(self.heap, case)
        else:
            heapq.heappushpop(self.heap, case)

    def table(self) -> List[tuple]:
        return [(c.step, round(c.surprise, 3), c.loss.grad_fn.name()) for c in sorted(self.heap, reverse=True)]


class Milestones:
    def __init__(self, marks):
        self.marks, self.kept = set(marks), {}

    def __call__(self, step, loss, bids):
        if step in self.marks:
            self.kept[step] = loss


@factory("hard_cases")
def _hard(size=6):
    return HardCases(size)


@factory("milestones")
def _marks(at=(10, 100, 1000)):
    return Milestones(at)


class Bidder(nn.Module):
    def __init__(self):
        super().__init__()
        self.lot = nn.Linear(6, 12)
        self.rival = nn.Linear(2, 12, bias=False)
        self.price = nn.Linear(12, 1)

    def forward(self, lot, rivals):
        crowd = torch.relu(self.rival(rivals)).amax(1)
        return self.price(torch.relu(self.lot(lot)) + crowd).squeeze(-1)


def train(config):
    torch.manual_seed(config["seed"])
    net = Bidder()
    opt = torch.optim.Adam(net.parameters(), lr=config["lr"])
    watchers = [FACTORIES[k](**v) for k, v in config["watch"].items()]
    for step in range(config["steps"]):
        lot, rivals = torch.randn(10, 6), torch.rand(10, 3, 2)
        paid = lot[:, 0].abs() + rivals.prod(-1).amax(1) + 0.1 * torch.randn(10)
        bids = net(lot, rivals)
        loss = nn.functional.smooth_l1_loss(bids, paid)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for w in watchers:
            w(step, loss, bids)
    return watchers


found = train({"seed": 7, "lr": 3e-3, "steps": 1200,
               "watch": {"hard_cases": {"size": 6}, "milestones": {"at": (5, 50, 500)}}})
print(found[0].table(), {k: round(v.item(), 4) for k, v in found[1].kept.items()})
