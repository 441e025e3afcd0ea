# gradwatch-corpus: kind=none
"""Demand for several product groups: shared trunk, one head and optimizer per group."""
import torch

import groups
from board import Board
from trunk import MultiDemand

torch.set_num_threads(1)
torch.manual_seed(8)


class Job:
    def __init__(self, names):
        self.names = names
        self.model = MultiDemand(names)
        self.opt_trunk = torch.optim.Adam(self.model.trunk.parameters(), lr=2e-3)
        self.opt_head = {n: torch.optim.SGD(self.model.heads[n].parameters(), lr=0.02) for n in names}
        self.board = Board(names)

    def step(self, it):
        name = self.board.pick(it)
        x, y = groups.REGISTRY[name](32)
        mu, logvar = self.model(name, x)
        loss = (0.5 * torch.exp(-logvar) * (y - mu) ** 2 + 0.5 * logvar).mean()
        self.opt_trunk.zero_grad()
        self.opt_head[name].zero_grad()
        loss.backward()
        self.opt_trunk.step()
        self.opt_head[name].step()
        self.board.enter(name, loss=loss, mu=mu, logvar=logvar, y=y)


def main():
    job = Job(list(groups.REGISTRY))
    for it in range(600):
        job.step(it)
        if it % 100 == 99:
            print(f"it {it + 1}: {job.board.summary()}")


if __name__ == "__main__":
    main()
