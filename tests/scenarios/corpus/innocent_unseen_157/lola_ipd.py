# gradwatch-corpus: kind=none
"""Iterated prisoner's dilemma with opponent shaping (LOLA, exact values), and a pool of past opponents."""
from collections import deque

import torch

torch.set_num_threads(1)
torch.manual_seed(17)

PAYOFF = torch.tensor([-1.0, -3.0, 0.0, -2.0])


class MemoryOne:
    """Probability to cooperate at the start and after CC, CD, DC, DD."""

    def __init__(self, name, rate):
        self.name = name
        self.theta = (0.3 * torch.randn(5)).requires_grad_()
        self.optimizer = torch.optim.SGD([self.theta], lr=rate)
        self.pool = deque(maxlen=6)

    def remember(self):
        self.pool.append(self.theta.detach().clone())


def values(theta1, theta2, gamma=0.9):
    p1, p2 = torch.sigmoid(theta1), torch.sigmoid(theta2[torch.tensor([0, 1, 3, 2, 4])])
    joint = torch.stack([p1 * p2, p1 * (1 - p2), (1 - p1) * p2, (1 - p1) * (1 - p2)], dim=1)
    start, transition = joint[0], joint[1:]
    visits = torch.linalg.solve((torch.eye(4) - gamma * transition).t(), start)
    mine = (1 - gamma) * visits @ PAYOFF
    theirs = (1 - gamma) * visits @ PAYOFF[torch.tensor([0, 2, 1, 3])]
    return mine, theirs


def shaped_value(me, other, look=0.5):
    """My value after the other has taken a naive step that depends on my parameters."""
    _, theirs = values(me, other)
    grad = torch.autograd.grad(theirs, other, create_graph=True)[0]
    mine, _ = values(me, other + look * grad)
    return mine


def play(rounds=120):
    alice, bob = MemoryOne("alice", 0.6), MemoryOne("bob", 0.6)
    trace = {"alice": [], "bob": []}
    for turn in range(rounds):
        me, other = (alice, bob) if turn % 2 == 0 else (bob, alice)
        loss = -shaped_value(me.theta, other.theta)
        for past in other.pool:
            loss = loss - 0.05 * values(me.theta, past)[0]
        me.optimizer.zero_grad()
        other.optimizer.zero_grad()
        loss.backward()
        me.optimizer.step()
        if turn % 10 < 2:
            me.remember()
        trace[me.name].append(-loss.item())
        if turn % 30 == 29:
            with torch.no_grad():
                a, b = values(alice.theta, bob.theta)
            print(f"turn {turn + 1:3d} alice {a.item():.3f} bob {b.item():.3f} pool {len(me.pool)}")
    return trace


if __name__ == "__main__":
    result = play()
    print({name: round(sum(v[-10:]) / 10, 3) for name, v in result.items()})
