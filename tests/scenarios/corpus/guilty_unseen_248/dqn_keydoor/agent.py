import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

from replay import ReplayMemory

GAMMA = 0.97
TAU = 0.01
LR = 1e-3


class QNetwork(nn.Module):
    def __init__(self, obs_dim, n_actions):
        super().__init__()
        self.fc1 = nn.Linear(obs_dim, 64)
        self.fc2 = nn.Linear(64, 64)
        self.out = nn.Linear(64, n_actions)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.out(x)


class DQNAgent:
    def __init__(self, obs_dim, n_actions):
        self.n_actions = n_actions
        self.qnet = QNetwork(obs_dim, n_actions)
        self.target_params = {k: p.detach().clone() for k, p in self.qnet.named_parameters()}
        self.optimizer = torch.optim.Adam(self.qnet.parameters(), lr=LR)
        self.memory = ReplayMemory(5000)

    def act(self, state, eps):
        if random.random() < eps:
            return random.randrange(self.n_actions)
        with torch.no_grad():
            q = self.qnet(torch.from_numpy(state).unsqueeze(0))
        return q.argmax(1).item()

    def learn(self, batch_size):
        s, a, r, s2, d = self.memory.sample(batch_size)
        q = self.qnet(s).gather(1, a).squeeze(1)
        with torch.no_grad():
            best_a = self.qnet(s2).argmax(1, keepdim=True)
        q_next = functional_call(self.qnet, self.target_params, (s2,)).gather(1, best_a).squeeze(1)  # <- culprit
        target = r + GAMMA * (1.0 - d) * q_next
        loss = F.smooth_l1_loss(q, target)

        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(self.qnet.parameters(), 10.0)
        self.optimizer.step()
        self.soft_update()
        return loss.item()

    def soft_update(self):
        for name, p in self.qnet.named_parameters():
            self.target_params[name] = torch.lerp(self.target_params[name], p, TAU)  # <- culprit
