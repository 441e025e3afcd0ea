# gradwatch-corpus: kind=none
"""REINFORCE for visiting all customers of a depot, with a greedy-rollout baseline."""
import copy

import torch

from decoder import RouteNet
from world import Tour


def drive(net, xy, greedy):
    tour = Tour(xy)
    memory = net.encode(xy)
    logp = torch.zeros(xy.shape[0], xy.shape[1] - 1)
    step = 0
    while not tour.finished:
        choice, lp = net.choose(memory, tour, greedy)
        logp[:, step] = lp
        tour.go(choice)
        step += 1
    return tour.cost(), logp


class GreedyBaseline:
    def __init__(self, net, every):
        self.every, self.n = every, 0
        self.refresh(net)

    def refresh(self, net):
        self.net = copy.deepcopy(net).eval()

    @torch.no_grad()
    def __call__(self, xy):
        return drive(self.net, xy, greedy=True)[0]

    def tick(self, net):
        self.n += 1
        if self.n % self.every == 0:
            self.refresh(net)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(17)
    net = RouteNet(16)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    base = GreedyBaseline(net, every=25)
    costs = []
    for it in range(300):
        xy = torch.rand(16, 6, 2)
        cost, logp = drive(net, xy, greedy=False)
        adv = cost - base(xy)
        loss = (adv * logp.sum(1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        base.tick(net)
        costs.append(cost.mean())
        if it % 50 == 0:
            print(it, round(torch.stack(costs[-50:]).mean().item(), 4))


if __name__ == "__main__":
    main()
