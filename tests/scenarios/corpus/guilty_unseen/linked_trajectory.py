# gradwatch-corpus: kind=graph-held
# also: graph-unused
# holder: self.parent | node.parent | node | self.node | tail | tail.parent | self.tail | self.prev | tail.prev
"""Policy improvement on a procedurally generated tree; nodes know their parents so that paths can be printed."""
import torch
from torch import nn


class Node:
    __slots__ = ("obs", "action", "score", "parent", "depth")

    def __init__(self, obs, action=None, score=None, parent=None):
        self.obs = obs
        self.action = action
        self.score = score  # <- culprit
        self.parent = parent  # <- culprit
        self.depth = 0 if parent is None else parent.depth + 1

    def child(self, action, score, transition):
        return Node(transition(self.obs, action), action, score, parent=self)  # <- culprit

    def path(self):
        node, out = self, []
        while node is not None and len(out) < 8:
            out.append(node.action)
            node = node.parent
        return out[::-1]


class Policy(nn.Module):
    def __init__(self, d=16, n=5):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 160), nn.ReLU(), nn.Linear(160, 160), nn.ReLU(), nn.Linear(160, n))

    def forward(self, obs):
        return self.body(obs).log_softmax(-1)


class World:
    def __init__(self, d=16, n=5):
        self.M = torch.randn(n, d, d) / d ** 0.5
        self.goal = torch.randn(d)

    def move(self, obs, a):
        return torch.tanh(self.M[a] @ obs + 0.1 * torch.randn(16))

    def reward(self, obs):
        return torch.cosine_similarity(obs, self.goal, dim=0)


def walk(steps=250):
    torch.manual_seed(6)
    world, policy = World(), Policy()
    opt = torch.optim.RMSprop(policy.parameters(), lr=1e-4)
    node = Node(torch.randn(16))
    for t in range(steps):
        logp = policy(node.obs)
        a = torch.multinomial(logp.exp().detach(), 1).item()
        gain = world.reward(world.move(node.obs, a)) - world.reward(node.obs)
        loss = -logp[a] * gain - 0.01 * -(logp.exp() * logp).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        node = node.child(a, logp[a], world.move)  # <- culprit
        if t % 50 == 49:
            print(node.depth, node.path())


walk()
