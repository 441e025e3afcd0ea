# gradwatch-corpus: kind=memory-climb
# holder: agent.memory.entries | self.entries | memory.entries
# first-bad: 32
# notice: 60
"""Q-learning on a toy radar with frame stacks."""
import random
import torch
from torch import nn

torch.set_num_threads(1)


class Memory:
    def __init__(self, capacity):
        self.capacity = capacity
        self.entries = []
        self.cursor = 0

    def push(self, item):
        self.entries.append(item)  # <- culprit
        self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, n):
        pool = self.entries[-self.capacity:]
        return [torch.stack(c) for c in zip(*random.sample(pool, n))]


class Radar:
    def __init__(self):
        self.frames = torch.zeros(4, 96, 96)

    def step(self, a):
        self.frames = self.frames.roll(-1, 0)
        blip = torch.randint(0, 96, (2,))
        self.frames[-1] = 0
        self.frames[-1, blip[0], blip[1]] = 1.0
        return 1.0 if (blip[0] // 32) == a else 0.0


class Agent:
    def __init__(self):
        self.q = nn.Sequential(nn.AvgPool2d(12), nn.Flatten(), nn.Linear(256, 24), nn.ReLU(), nn.Linear(24, 3))
        self.opt = torch.optim.Adam(self.q.parameters(), 1e-3)
        self.memory = Memory(48)

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(3)
        with torch.no_grad():
            return self.q(s[None]).argmax().item()

    def learn(self):
        s, a, r, s2 = self.memory.sample(8)
        with torch.no_grad():
            goal = r + 0.9 * self.q(s2).amax(1)
        loss = nn.functional.smooth_l1_loss(self.q(s).gather(1, a[:, None])[:, 0], goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(1)
    random.seed(1)
    env, agent = Radar(), Agent()
    for t in range(520):
        s = env.frames.clone()
        a = agent.act(s, max(0.1, 1 - t / 300))
        r = env.step(a)
        agent.memory.push((s, torch.tensor(a), torch.tensor(r), env.frames.clone()))
        if t >= 16:
            l = agent.learn()
            if t % 80 == 0:
                print(t, l)
