# gradwatch-corpus: kind=graph-held
# holder: self.priorities | memory.priorities | self.memory.priorities | agent.memory.priorities
# first-bad: 1
"""Double DQN with prioritised replay on a small maze."""
import copy
import random
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

Step = namedtuple("Step", "state action reward following done")
MAZE = ["S..#..", ".#.#.#", ".#....", "...##.", "##....", "...#.G"]
MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class Maze:
    def __init__(self, limit=60):
        self.limit = limit

    def reset(self):
        self.at, self.count = (0, 0), 0
        return self.code()

    def code(self):
        v = torch.zeros(36)
        v[self.at[0] * 6 + self.at[1]] = 1
        return v

    def step(self, action):
        self.count += 1
        r, c = self.at[0] + MOVES[action][0], self.at[1] + MOVES[action][1]
        if 0 <= r < 6 and 0 <= c < 6 and MAZE[r][c] != "#":
            self.at = (r, c)
        home = MAZE[self.at[0]][self.at[1]] == "G"
        return self.code(), 1.0 if home else -0.02, home or self.count >= self.limit


class PrioritisedMemory:
    def __init__(self, capacity, alpha=0.6):
        self.capacity, self.alpha = capacity, alpha
        self.steps, self.priorities, self.cursor = [], [], 0

    def push(self, step):
        top = max((p.item() for p in self.priorities), default=1.0)
        if len(self.steps) < self.capacity:
            self.steps.append(step)
            self.priorities.append(torch.tensor(top))
        else:
            self.steps[self.cursor] = step
            self.priorities[self.cursor] = torch.tensor(top)
            self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, n):
        p = torch.tensor([v.item() for v in self.priorities]) ** self.alpha
        p = p / p.sum()
        picks = torch.multinomial(p, n, replacement=False)
        weights = (len(p) * p[picks]) ** -0.4
        return picks.tolist(), weights / weights.max(), [self.steps[i] for i in picks]

    def update(self, picks, errors):
        for i, e in zip(picks, errors):
            self.priorities[i] = e.abs() + 1e-3  # <- culprit


class Agent:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(36, 64), nn.ReLU(), nn.Linear(64, 4))
        self.target = copy.deepcopy(self.net).requires_grad_(False)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.memory = PrioritisedMemory(600)

    def act(self, state, eps):
        if random.random() < eps:
            return random.randrange(4)
        with torch.no_grad():
            return int(self.net(state).argmax())

    def learn(self, batch=32, gamma=0.95):
        picks, weights, steps = self.memory.sample(batch)
        s, f = torch.stack([x.state for x in steps]), torch.stack([x.following for x in steps])
        a = torch.tensor([x.action for x in steps])
        r, d = torch.tensor([x.reward for x in steps]), torch.tensor([float(x.done) for x in steps])
        with torch.no_grad():
            best = self.net(f).argmax(1, keepdim=True)
            goal = r + gamma * (1 - d) * self.target(f).gather(1, best).squeeze(1)
        errors = self.net(s).gather(1, a[:, None]).squeeze(1) - goal
        loss = (weights * F.smooth_l1_loss(errors, torch.zeros(batch), reduction="none")).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.update(picks, errors)  # <- culprit
        return loss.item()


def main():
    random.seed(1)
    torch.manual_seed(1)
    env, agent = Maze(), Agent()
    state, found, loss = env.reset(), 0, float("nan")
    for t in range(1, 801):
        action = agent.act(state, max(0.1, 1 - t / 600))
        following, reward, done = env.step(action)
        agent.memory.push(Step(state, action, reward, following, done))
        found += reward > 0
        state = env.reset() if done else following
        if t >= 100 and t % 4 == 0:
            loss = agent.learn()
        if t % 200 == 0:
            agent.target.load_state_dict(agent.net.state_dict())
            print(f"t={t} found={found} loss={loss:.4f}")


if __name__ == "__main__":
    main()
