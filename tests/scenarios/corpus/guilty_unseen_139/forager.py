# gradwatch-corpus: kind=inplace-modified
# holder: agent.memory.keys | agent.memory.gains | self.memory.keys | self.memory.gains | self.keys | self.gains
# first-bad: 20
# notice: 0
"""An episodic-memory agent: values of berry patches are read from the most similar visits of the past."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(4711)


class EpisodicMemory:
    def __init__(self, slots, width):
        self.keys = torch.zeros(slots, width)
        self.gains = torch.zeros(slots)
        self.head = 0
        self.filled = False

    def read(self, query):
        near = torch.softmax(query @ self.keys.t(), -1)
        return near @ self.gains

    def write(self, key, gain):
        self.keys[self.head] = key  # <- culprit
        self.gains[self.head] = gain  # <- culprit
        self.head += 1
        if self.head == len(self.gains):
            self.head, self.filled = 0, True


class Forager:
    def __init__(self, n_obs=5, width=6, slots=20):
        self.embed = nn.Sequential(nn.Linear(n_obs, 16), nn.Tanh(), nn.Linear(16, width))
        self.guess = nn.Linear(width, 1)
        self.memory = EpisodicMemory(slots, width)
        self.opt = torch.optim.Adam([*self.embed.parameters(), *self.guess.parameters()], lr=3e-3)

    def visit(self, patch, world):
        key = self.embed(patch)
        value = self.guess(key).squeeze(-1)
        if self.memory.filled:
            value = value + self.memory.read(key)
        gain = world(patch)
        self.memory.write(key.detach(), gain)
        self.learn(value, gain)
        return gain

    def learn(self, value, gain):
        loss = (value - gain) ** 2
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


def world(patch):
    return float(patch[0] > 0) - 0.2 * patch[1].item()


agent = Forager()
eaten = 0.0
for day in range(400):
    eaten += agent.visit(torch.randn(5), world)
    if day % 5 == 0:
        print(day, round(eaten, 2))
