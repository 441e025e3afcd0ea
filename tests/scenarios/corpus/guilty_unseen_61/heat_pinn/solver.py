"""Fits the network to the equation and its boundary values."""
import torch


class Solver:
    weights = {"pde": 1.0, "initial": 10.0, "walls": 5.0}

    def __init__(self, net, problem, log):
        self.net, self.problem, self.log = net, problem, log
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)

    def solve(self, iterations):
        for step in range(iterations):
            terms = self.problem.terms(self.net)
            total = sum(self.weights[k] * v for k, v in terms.items())
            self.opt.zero_grad()
            total.backward()
            self.opt.step()
            self.log.record(step, terms)
