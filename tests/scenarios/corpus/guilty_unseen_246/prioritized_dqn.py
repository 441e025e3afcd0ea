# gradwatch-corpus: kind=graph-held
# holder: self.priorities | memory.priorities | self.memory.priorities | agent.memory.priorities
# first-bad: 1
import collections
import random

import torch
from torch import nn

Transition = collections.namedtuple("Transition", "obs action reward next_obs done")


class GridChase:
    """Small pursuit game: the agent has to touch a fleeing target."""

    moves = ((0, 1), (0, -1), (1, 0), (-1, 0))

    def __init__(self, size, rng):
        self.size = size
        self.rng = rng
        self.reset()

    def reset(self):
        self.agent = [self.rng.randrange(self.size), self.rng.randrange(self.size)]
        self.target = [self.rng.randrange(self.size), self.rng.randrange(self.size)]
        self.ticks = 0
        return self.observe()

    def observe(self):
        values = [v / self.size for v in self.agent + self.target]
        return torch.tensor(values)

    def _shift(self, who, move):
        for axis in range(2):
            who[axis] = min(self.size - 1, max(0, who[axis] + move[axis]))

    def step(self, action):
        self._shift(self.agent, self.moves[action])
        if self.rng.random() < 0.3:
            self._shift(self.target, self.rng.choice(self.moves))
        self.ticks += 1
        caught = self.agent == self.target
        reward = 1.0 if caught else -0.02
        done = caught or self.ticks >= 30
        return self.observe(), reward, done


class PrioritizedMemory:
    def __init__(self, capacity, rng):
        self.capacity = capacity
        self.rng = rng
        self.items = []
        self.priorities = []
        self.cursor = 0

    def __len__(self):
        return len(self.items)

    def push(self, item):
        if len(self.items) < self.capacity:
            self.items.append(item)
            self.priorities.append(torch.tensor(1.0))
            return
        self.items[self.cursor] = item
        self.priorities[self.cursor] = torch.tensor(1.0)
        self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, count):
        weights = [p.item() + 1e-3 for p in self.priorities]
        picks = self.rng.choices(range(len(self.items)), weights=weights, k=count)
        rows = [self.items[i] for i in picks]
        return picks, Transition(*zip(*rows))

    def refresh(self, picks, errors):
        for slot, err in zip(picks, errors):
            self.priorities[slot] = err  # <- culprit


class DqnAgent:
    def __init__(self, rng, gamma=0.95):
        self.rng = rng
        self.gamma = gamma
        self.online = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 4))
        self.frozen = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 4))
        self.sync()
        self.optimizer = torch.optim.Adam(self.online.parameters(), lr=2e-3)
        self.memory = PrioritizedMemory(4000, rng)

    def sync(self):
        self.frozen.load_state_dict(self.online.state_dict())

    @torch.no_grad()
    def act(self, obs, epsilon):
        if self.rng.random() < epsilon:
            return self.rng.randrange(4)
        return int(self.online(obs).argmax())

    def learn(self, batch_size):
        picks, batch = self.memory.sample(batch_size)
        obs = torch.stack(batch.obs)
        actions = torch.tensor(batch.action).unsqueeze(1)
        rewards = torch.tensor(batch.reward)
        alive = 1.0 - torch.tensor(batch.done, dtype=torch.float32)
        with torch.no_grad():
            ahead = self.frozen(torch.stack(batch.next_obs)).max(dim=1).values
            wanted = rewards + self.gamma * alive * ahead
        chosen = self.online(obs).gather(1, actions).squeeze(1)
        td_error = (wanted - chosen).abs()
        loss = td_error.pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.memory.refresh(picks, td_error)  # <- culprit
        return loss.item()


def main():
    torch.manual_seed(17)
    rng = random.Random(17)
    game = GridChase(6, rng)
    agent = DqnAgent(rng)
    obs = game.reset()
    for _ in range(400):
        action = rng.randrange(4)
        nxt, reward, done = game.step(action)
        agent.memory.push(Transition(obs, action, reward, nxt, done))
        obs = game.reset() if done else nxt
    for update in range(150):
        for _ in range(8):
            action = agent.act(obs, epsilon=0.2)
            nxt, reward, done = game.step(action)
            agent.memory.push(Transition(obs, action, reward, nxt, done))
            obs = game.reset() if done else nxt
        loss = agent.learn(32)
        if update % 50 == 0:
            agent.sync()
            print(f"update {update} td {loss:.4f} memory {len(agent.memory)}")


if __name__ == "__main__":
    main()
