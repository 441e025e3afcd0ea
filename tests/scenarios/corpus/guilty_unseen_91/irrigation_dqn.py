# gradwatch-corpus: kind=graph-held
# holder: self.memory | buffer.memory | agent.buffer.memory | self.buffer.memory | memory | buffer | agent.buffer
# first-bad: 1
# notice: 8
# Value-based irrigation control with a replay memory that prefers surprising days.
import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 3
GAMMA = 0.95
DAYS = 500
Transition = namedtuple("Transition", "obs action reward nxt surprise")


class Field:
    """Soil moisture in three layers; actions: no water, light, heavy."""
    water = (0.0, 0.15, 0.4)

    def reset(self):
        self.soil = torch.rand(3) * 0.5
        self.season = random.random()
        return self.obs()

    def obs(self):
        return torch.cat([self.soil, torch.tensor([self.season])])

    def step(self, action):
        rain = max(0.0, random.gauss(-0.2, 0.3))
        gain = torch.tensor([1.0, 0.5, 0.2]) * (self.water[action] + rain)
        self.soil = (self.soil * 0.85 + gain).clamp(0, 1.2)
        self.season = (self.season + 1 / 120) % 1.0
        reward = -float((self.soil - 0.6).abs().mean()) - 0.3 * self.water[action]
        return self.obs(), reward


class ReplayBuffer:
    def __init__(self, capacity=20_000):
        self.capacity = capacity
        self.memory = []

    def push(self, *args):
        if len(self.memory) >= self.capacity:
            self.memory.pop(0)
        self.memory.append(Transition(*args))  # <- culprit

    def draw(self, k):
        pool = random.choices(self.memory, k=3 * k)
        pool.sort(key=lambda tr: float(tr.surprise), reverse=True)
        return pool[:k]

    def __len__(self):
        return len(self.memory)


class Agent:
    def __init__(self):
        self.q = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 3))
        self.target = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 3))
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.RMSprop(self.q.parameters(), lr=5e-4)
        self.buffer = ReplayBuffer()

    def act(self, obs, eps):
        values = self.q(obs)
        action = random.randrange(3) if random.random() < eps else int(values.argmax())
        return action, values[action]

    def observe(self, obs, action, value, reward, nxt):
        with torch.no_grad():
            goal = reward + GAMMA * self.target(nxt).max()
        surprise = (goal - value).abs()  # <- culprit
        self.buffer.push(obs, action, reward, nxt, surprise)  # <- culprit

    def learn(self, k=16):
        batch = self.buffer.draw(k)
        obs = torch.stack([tr.obs for tr in batch])
        nxt = torch.stack([tr.nxt for tr in batch])
        act = torch.tensor([tr.action for tr in batch])
        rew = torch.tensor([tr.reward for tr in batch])
        pred = self.q(obs).gather(1, act[:, None]).squeeze(1)
        with torch.no_grad():
            goal = rew + GAMMA * self.target(nxt).max(dim=1).values
        loss = F.smooth_l1_loss(pred, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    random.seed(SEED)
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    env, agent = Field(), Agent()
    obs = env.reset()
    losses, rewards = [], []
    for day in range(DAYS):
        action, value = agent.act(obs, eps=max(0.05, 1 - day / 250))
        nxt, reward = env.step(action)
        agent.observe(obs, action, value, reward, nxt)
        rewards.append(reward)
        losses.append(agent.learn())
        obs = env.reset() if (day + 1) % 60 == 0 else nxt
        if (day + 1) % 20 == 0:
            agent.target.load_state_dict(agent.q.state_dict())
        if (day + 1) % 100 == 0:
            print(f"day {day + 1} loss {sum(losses[-100:]) / 100:.4f} reward {sum(rewards[-100:]) / 100:.3f}")


if __name__ == "__main__":
    main()
