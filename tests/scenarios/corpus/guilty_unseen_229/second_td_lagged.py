# gradwatch-corpus: kind=second-backward
# holder: self.prev_value | agent.prev_value
# first-bad: 1
"""Online TD(0) value learning for a tower-defence wave director."""
import torch
from torch import nn


class WaveSim:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.hp = 20.0
        self.gold = 5.0
        self.wave = 0

    def observe(self):
        return torch.tensor([self.hp / 20, self.gold / 20, self.wave / 50, (self.wave % 5) / 5])

    def advance(self):
        strength = 0.6 + 0.05 * self.wave + torch.rand(1, generator=self.gen).item()
        defence = 0.3 * self.gold
        self.hp -= max(0.0, strength - defence)
        self.gold += 1.0 - 0.1 * strength
        self.wave += 1
        return 1.0 if strength < defence else -0.2

    @property
    def over(self):
        return self.hp <= 0 or self.wave >= 50


class ValueAgent:
    def __init__(self, gamma=0.95, lr=1e-3):
        self.value = nn.Sequential(nn.Linear(4, 32), nn.ELU(), nn.Linear(32, 1))
        self.opt = torch.optim.RMSprop(self.value.parameters(), lr=lr)
        self.gamma = gamma
        self.prev_value = None
        self.prev_reward = 0.0

    def begin(self, obs):
        self.prev_value = self.value(obs)
        self.prev_reward = 0.0

    def learn(self, obs, reward, done):
        current = self.value(obs)
        bootstrap = torch.zeros(1) if done else self.gamma * current
        delta = reward + bootstrap - self.prev_value  # <- culprit
        loss = delta.pow(2).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.prev_value = current  # <- culprit
        self.prev_reward = reward
        return loss.item()


def main():
    torch.manual_seed(90)
    sim = WaveSim(seed=90)
    agent = ValueAgent()
    agent.begin(sim.observe())
    losses = []
    for tick in range(200):
        reward = sim.advance()
        done = sim.over
        losses.append(agent.learn(sim.observe(), reward, done))
        if done:
            sim.reset()
            agent.begin(sim.observe())
        if tick % 50 == 49:
            recent = losses[-50:]
            print(f"tick {tick + 1} td loss {sum(recent) / len(recent):.4f}")


if __name__ == "__main__":
    main()
