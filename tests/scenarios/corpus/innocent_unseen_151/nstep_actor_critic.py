# gradwatch-corpus: kind=none
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)
SavedStep = namedtuple("SavedStep", ["log_prob", "value", "entropy", "reward", "mask"])


class Corridor:
    def __init__(self, length=8):
        self.length = length

    def _obs(self):
        return F.one_hot(torch.tensor(self.pos), self.length).float()

    def reset(self):
        self.pos, self.t = random.randrange(self.length - 1), 0
        return self._obs()

    def step(self, a):
        self.pos = max(0, min(self.length - 1, self.pos + (1 if a == 1 else -1)))
        self.t += 1
        goal = self.pos == self.length - 1
        return self._obs(), 1.0 if goal else -0.05, goal or self.t > 30


class RecurrentPolicy(nn.Module):
    def __init__(self, obs, hidden=16, actions=2):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.GRUCell(obs, hidden)
        self.pi, self.v = nn.Linear(hidden, actions), nn.Linear(hidden, 1)

    def forward(self, x, h):
        h = self.cell(x.unsqueeze(0), h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(), h


class Worker:
    def __init__(self, n_steps=5, gamma=0.97):
        self.env, self.model = Corridor(), RecurrentPolicy(8)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.gamma = gamma
        self.window = deque(maxlen=n_steps)
        self.state, self.h = self.env.reset(), torch.zeros(1, self.model.hidden)
        self.returns, self.ret = deque(maxlen=50), 0.0

    def act(self):
        dist, value, self.h = self.model(self.state, self.h)
        action = dist.sample()
        self.state, reward, done = self.env.step(action.item())
        self.ret += reward
        self.window.append(SavedStep(dist.log_prob(action), value, dist.entropy(), reward, 0.0 if done else 1.0))
        if done:
            self.returns.append(self.ret)
            self.state, self.ret = self.env.reset(), 0.0
            self.h = torch.zeros_like(self.h)

    def bootstrap(self):
        with torch.no_grad():
            return self.model(self.state, self.h)[1]

    def learn(self):
        R = self.bootstrap()
        policy_loss = value_loss = entropy = 0.0
        for s in reversed(self.window):
            R = s.reward + self.gamma * R * s.mask
            adv = R - s.value
            policy_loss = policy_loss - s.log_prob * adv.detach()
            value_loss = value_loss + adv.pow(2)
            entropy = entropy + s.entropy
        loss = (policy_loss + 0.5 * value_loss - 0.01 * entropy).sum() / len(self.window)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.h = self.h.detach()
        return loss.item()


def main(updates=140):
    random.seed(3)
    torch.manual_seed(3)
    worker = Worker()
    for u in range(updates):
        for _ in range(worker.window.maxlen):
            worker.act()
        loss = worker.learn()
        if (u + 1) % 35 == 0:
            mean = sum(worker.returns) / max(1, len(worker.returns))
            print(f"update {u + 1} loss {loss:.3f} mean return {mean:.2f}")


if __name__ == "__main__":
    main()
