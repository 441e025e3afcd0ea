# gradwatch-corpus: kind=second-backward
# holder: self.last_value | agent.last_value
# first-bad: 1
"""Average-reward TD on a ring walk with a neural value function."""
import torch
import torch.nn as nn


class RingWalk:
    def __init__(self, n=16):
        self.n = n
        self.pos = 0

    def observe(self):
        ang = torch.tensor(6.2832 * self.pos / self.n)
        return torch.stack([ang.cos(), ang.sin(), (2 * ang).cos()])

    def step(self):
        move = 1 if torch.rand(()) < 0.6 else -1
        self.pos = (self.pos + move) % self.n
        return self.observe(), float(self.pos == 0)


class ValueNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, s):
        return self.f(s).squeeze(-1)


class TDAgent:
    def __init__(self, lr=1e-2):
        self.net = ValueNet()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr)
        self.rate = 0.0
        self.last_value = None

    def begin(self, obs):
        self.last_value = self.net(obs)

    def learn(self, obs, reward):
        value = self.net(obs)
        delta = reward - self.rate + value - self.last_value  # <- culprit
        loss = 0.5 * delta.pow(2)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.rate += 0.02 * delta.item()
        self.last_value = value  # <- culprit
        return delta.item()


def main():
    torch.manual_seed(77)
    env = RingWalk()
    agent = TDAgent()
    agent.begin(env.observe())
    for t in range(200):
        obs, reward = env.step()
        delta = agent.learn(obs, reward)
        if t % 40 == 39:
            print(t, "delta", delta, "rate", agent.rate)


if __name__ == "__main__":
    main()
