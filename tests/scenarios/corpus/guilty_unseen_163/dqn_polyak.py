# gradwatch-corpus: kind=graph-chain
# holder: self.target | agent.target
# first-bad: 1
"""DQN with polyak averaging on a toy corridor."""
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(1)
random.seed(1)


class Corridor:
    size = 8

    def reset(self):
        self.at = self.size // 2
        self.t = 0
        return self.obs()

    def obs(self):
        v = torch.zeros(self.size)
        v[self.at] = 1.0
        return v

    def step(self, a):
        self.at = max(0, min(self.size - 1, self.at + (1 if a else -1)))
        self.t += 1
        goal = self.at == self.size - 1
        done = goal or self.at == 0 or self.t >= 30
        return self.obs(), (1.0 if goal else -0.01), done


class QNet(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))

    def forward(self, x):
        return self.body(x)


class Agent:
    def __init__(self, n_obs, n_act, gamma=0.95, tau=0.02):
        self.q = QNet(n_obs, n_act)
        self.target = {k: v.detach().clone() for k, v in self.q.named_parameters()}
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.memory = deque(maxlen=500)
        self.gamma, self.tau = gamma, tau
        self.n_act = n_act

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        with torch.no_grad():
            return int(self.q(s).argmax())

    def soft_update(self):
        for name, p in self.q.named_parameters():
            self.target[name] = torch.lerp(self.target[name], p, self.tau)  # <- culprit

    def learn(self, batch_size=32):
        s, a, r, s2, d = zip(*random.sample(list(self.memory), batch_size))
        s, s2 = torch.stack(s), torch.stack(s2)
        a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d, dtype=torch.float)
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        q_next = functional_call(self.q, self.target, (s2,)).max(1).values  # <- culprit
        y = r + self.gamma * (1 - d) * q_next  # <- culprit
        loss = F.smooth_l1_loss(q, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.soft_update()
        return loss.item()


def main():
    env = Corridor()
    agent = Agent(env.size, 2)
    s = env.reset()
    returns, total = [], 0.0
    for step in range(260):
        a = agent.act(s, eps=max(0.1, 1 - step / 150))
        s2, r, done = env.step(a)
        agent.memory.append((s, a, r, s2, done))
        total += r
        s = s2
        if done:
            returns.append(total)
            total, s = 0.0, env.reset()
        if len(agent.memory) >= 100:
            loss = agent.learn()
            if step % 40 == 0:
                print(f"step {step} loss {loss:.4f} return {sum(returns[-5:]) / max(1, len(returns[-5:])):.2f}")


if __name__ == "__main__":
    main()
