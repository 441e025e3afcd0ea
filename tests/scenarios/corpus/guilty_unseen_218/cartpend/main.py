# gradwatch-corpus: kind=graph-chain
# holder: env.state | self.state
# first-bad: 1
"""Tracking controller trained through the simulator, receding horizon."""
import math

import torch

import dynamics

torch.manual_seed(11)

HORIZON = 6
ROUNDS = 70
LR = 0.01


class Env(object):
    def __init__(self, n):
        self.n = n
        self.t = 0
        self.state = dynamics.initial(n)

    def target(self):
        return 0.6 * math.sin(0.3 * self.t * dynamics.DT)

    def advance(self, policy):
        u = 8.0 * torch.tanh(policy(dynamics.observe(self.state), self.target()))
        self.state = dynamics.step(self.state, u)  # <- culprit
        self.t += 1
        err = self.state[:, 0] - self.target()
        return (err ** 2).mean() + 1e-3 * (u ** 2).mean()


w1 = (0.3 * torch.randn(4, 24)).requires_grad_()
b1 = torch.zeros(24, requires_grad=True)
w2 = (0.1 * torch.randn(24, 1)).requires_grad_()
weights = [w1, b1, w2]


def policy(obs, ref):
    inp = torch.cat([obs, torch.full((obs.size(0), 1), ref)], dim=1)
    return torch.tanh(inp.mm(w1) + b1).mm(w2).squeeze(1)


env = Env(32)
for r in range(ROUNDS):
    cost = 0
    for _ in range(HORIZON):
        cost = cost + env.advance(policy)
    cost = cost / HORIZON

    cost.backward(retain_graph=True)

    for w in weights:
        g = w.grad.data
        g.clamp_(-1, 1)
        w.data.add_(g, alpha=-LR)
        w.grad.data.zero_()

    if r % 10 == 0:
        print("round %d cost %.4f" % (r, cost.item()))
