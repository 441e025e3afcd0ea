# gradwatch-corpus: kind=none
"""Double DQN for a warehouse picker, with prioritised replay."""
import copy
import random

import torch
from torch import nn


class Warehouse:
    def __init__(self, width, rng):
        self.width = width
        self.rng = rng
        self.reset()

    def reset(self):
        self.pos = [self.rng.randrange(self.width) for _ in range(2)]
        self.goal = [self.rng.randrange(self.width) for _ in range(2)]
        self.clock = 0
        return self.view()

    def view(self):
        raw = self.pos + self.goal
        return torch.tensor([v / self.width for v in raw])

    def step(self, action):
        axis = action // 2
        sign = 1 if action % 2 else -1
        self.pos[axis] = min(max(self.pos[axis] + sign, 0), self.width - 1)
        self.clock += 1
        done = self.pos == self.goal
        reward = 1.0 if done else -0.02
        return self.view(), reward, done or self.clock > 40


class PrioritisedReplay:
    def __init__(self, capacity):
        self.capacity = capacity
        self.items = []
        self.priority = torch.zeros(capacity)
        self.cursor = 0

    def push(self, item, td_error):
        if len(self.items) < self.capacity:
            self.items.append(item)
        else:
            self.items[self.cursor] = item
        self.priority[self.cursor] = td_error.detach().abs() + 1e-2
        self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, n):
        weights = self.priority[:len(self.items)].pow(0.6)
        index = torch.multinomial(weights, n, replacement=True)
        columns = zip(*(self.items[i] for i in index.tolist()))
        obs, action, reward, nxt, done = (torch.stack(c) for c in columns)
        return index, (obs, action, reward, nxt, done)

    def refresh(self, index, td_error):
        self.priority[index] = td_error.detach().abs() + 1e-2


class Picker:
    def __init__(self, width=96, gamma=0.95):
        self.q = nn.Sequential(nn.Linear(4, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 4))
        self.target = copy.deepcopy(self.q)
        self.gamma = gamma
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.replay = PrioritisedReplay(600)

    @torch.no_grad()
    def act(self, obs, eps):
        values = self.q(obs)
        if random.random() < eps:
            return random.randrange(4), values
        return int(values.argmax()), values

    def td(self, obs, action, reward, nxt, done):
        current = self.q(obs).gather(1, action[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.q(nxt).argmax(1, keepdim=True)
            future = self.target(nxt).gather(1, best).squeeze(1)
            goal = reward + self.gamma * future * (1 - done)
        return goal - current

    def learn(self, n=64):
        index, batch = self.replay.sample(n)
        error = self.td(*batch)
        loss = nn.functional.smooth_l1_loss(error, torch.zeros_like(error))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.replay.refresh(index, error)
        return loss.detach()


def main():
    torch.manual_seed(44)
    random.seed(44)
    env = Warehouse(6, random.Random(44))
    picker = Picker()
    obs = env.reset()
    losses = []
    for tick in range(150):
        for _ in range(8):
            action, values = picker.act(obs, eps=0.3)
            nxt, reward, done = env.step(action)
            item = (obs, torch.tensor(action), torch.tensor(reward), nxt, torch.tensor(float(done)))
            picker.replay.push(item, reward - values[action])
            obs = env.reset() if done else nxt
        losses.append(picker.learn())
        if tick % 25 == 24:
            picker.target.load_state_dict(picker.q.state_dict())
            print(f"tick {tick + 1} loss {torch.stack(losses).mean():.4f}")
            losses = []


if __name__ == "__main__":
    main()
