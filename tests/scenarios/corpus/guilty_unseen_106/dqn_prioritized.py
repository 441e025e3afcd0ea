# gradwatch-corpus: kind=graph-held
# holder: self.priorities | self.memory.priorities | agent.memory.priorities
# first-bad: 1
# notice: 8
"""
DQN with (simplified) prioritized replay on a little corridor world.
Based on the PyTorch DQN tutorial + PER from rlcode.
"""
import random
from collections import namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

Transition = namedtuple("Transition", "state action reward next_state done")


class Corridor:
    """Walk right 9 cells; a windy cell may push you back."""

    def __init__(self, length=9):
        self.length = length

    def _obs(self):
        o = np.zeros(self.length, dtype=np.float32)
        o[self.pos] = 1
        return o

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def step(self, a):
        self.t += 1
        move = 1 if a == 1 else -1
        if self.pos == 4 and random.random() < 0.3:
            move = -1
        self.pos = int(np.clip(self.pos + move, 0, self.length - 1))
        win = self.pos == self.length - 1
        return self._obs(), (1.0 if win else -0.01), win or self.t >= 40


class PrioritizedMemory:
    def __init__(self, capacity, alpha=0.6, eps=1e-2):
        self.capacity, self.alpha, self.eps = capacity, alpha, eps
        self.data, self.priorities = [], []
        self.ptr = 0

    def __len__(self):
        return len(self.data)

    def push(self, error, *args):
        priority = (error.abs() + self.eps) ** self.alpha  # <- culprit
        if len(self.data) < self.capacity:
            self.data.append(Transition(*args))
            self.priorities.append(priority)  # <- culprit
        else:
            self.data[self.ptr] = Transition(*args)
            self.priorities[self.ptr] = priority
        self.ptr = (self.ptr + 1) % self.capacity

    def sample(self, k):
        w = np.array([float(p) for p in self.priorities])
        w /= w.sum()
        idx = np.random.choice(len(self.data), k, p=w)
        isw = (len(self.data) * w[idx]) ** -0.4
        return [self.data[i] for i in idx], torch.tensor(isw / isw.max(), dtype=torch.float32)


class Agent:
    def __init__(self, n_obs, n_act):
        self.policy = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))
        self.target = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))
        self.target.load_state_dict(self.policy.state_dict())
        self.opt = optim.Adam(self.policy.parameters(), lr=2e-3)
        self.memory = PrioritizedMemory(10000)
        self.gamma, self.eps, self.n_act = 0.97, 1.0, n_act

    def act(self, s):
        if random.random() < self.eps:
            return random.randrange(self.n_act)
        with torch.no_grad():
            return self.policy(torch.from_numpy(s)).argmax().item()

    def remember(self, s, a, r, s2, done):
        s_t, s2_t = torch.from_numpy(s), torch.from_numpy(s2)
        q = self.policy(s_t)[a]
        with torch.no_grad():
            target = r + (0.0 if done else self.gamma * self.target(s2_t).max())
        self.memory.push(target - q, s_t, a, r, s2_t, done)  # <- culprit

    def learn(self, k=32):
        if len(self.memory) < k:
            return None
        batch, isw = self.memory.sample(k)
        b = Transition(*zip(*batch))
        s, s2 = torch.stack(b.state), torch.stack(b.next_state)
        a = torch.tensor(b.action).unsqueeze(1)
        r, d = torch.tensor(b.reward), torch.tensor(b.done, dtype=torch.float32)
        q = self.policy(s).gather(1, a).squeeze(1)
        with torch.no_grad():
            y = r + self.gamma * (1 - d) * self.target(s2).max(1)[0]
        loss = (isw * nn.functional.smooth_l1_loss(q, y, reduction="none")).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(self.policy.parameters(), 1.0)
        self.opt.step()
        self.eps = max(0.05, self.eps * 0.993)
        return loss.item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(1)
    random.seed(1)
    np.random.seed(1)
    env = Corridor()
    agent = Agent(env.length, 2)
    frames, episode, lengths = 0, 0, []
    while frames < 520:
        s, done = env.reset(), False
        while not done:
            a = agent.act(s)
            s2, r, done = env.step(a)
            agent.remember(s, a, r, s2, done)
            s = s2
            loss = agent.learn()
            frames += 1
            if frames % 100 == 0:
                for pt, pp in zip(agent.target.parameters(), agent.policy.parameters()):
                    pt.data.copy_(pp.data)
        lengths.append(env.t)
        episode += 1
        if episode % 5 == 0:
            print(f"ep {episode} frames {frames} eps {agent.eps:.2f} len {np.mean(lengths[-5:]):.1f} loss {loss}")
