import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", "code action reward next_obs done")


class ReplayMemory:
    def __init__(self, capacity):
        self.buf = deque(maxlen=capacity)

    def push(self, *args):
        self.buf.append(Transition(*args))  # <- culprit

    def sample(self, k):
        return Transition(*zip(*random.sample(self.buf, k)))

    def __len__(self):
        return len(self.buf)


class QNet(nn.Module):
    def __init__(self, obs_dim, n_actions, width=48):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh())
        self.head = nn.Linear(width, n_actions)

    def forward(self, obs):
        return self.head(self.encoder(obs))


class Agent:
    def __init__(self, obs_dim, n_actions, batch_size, start_after, gamma=0.95, capacity=2000):
        self.net = QNet(obs_dim, n_actions)
        self.target = QNet(obs_dim, n_actions)
        self.target.load_state_dict(self.net.state_dict())
        self.memory = ReplayMemory(capacity)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.batch_size, self.start_after, self.gamma = batch_size, start_after, gamma
        self.n_actions = n_actions
        self.eps = 1.0
        self.updates = 0
        self.code = None

    def act(self, obs):
        # keep the encoding, so that learn() needn't encode the same thing again
        self.code = self.net.encoder(obs)  # <- culprit
        self.eps = max(0.1, self.eps * 0.995)
        if random.random() < self.eps:
            return random.randrange(self.n_actions)
        with torch.no_grad():
            return self.net.head(self.code).argmax().item()

    def remember(self, obs, action, reward, next_obs, done):
        self.memory.push(self.code, action, reward, next_obs, done)  # <- culprit

    def learn(self):
        if len(self.memory) < self.start_after:
            return None
        batch = self.memory.sample(self.batch_size)
        codes = torch.stack(batch.code)
        actions = torch.tensor(batch.action).unsqueeze(1)
        rewards = torch.tensor(batch.reward)
        alive = 1.0 - torch.tensor(batch.done, dtype=torch.float32)
        q = self.net.head(codes).gather(1, actions).squeeze(1)
        with torch.no_grad():
            q_next = self.target(torch.stack(batch.next_obs)).max(1).values
        loss = F.smooth_l1_loss(q, rewards + self.gamma * alive * q_next)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        if self.updates % 50 == 0:
            self.target.load_state_dict(self.net.state_dict())
        return loss.item()
