import random
from collections import defaultdict, deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class QNet(nn.Module):
    def __init__(self, n_obs, n_act, hidden=48):
        super().__init__()
        self.fc1 = nn.Linear(n_obs, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, n_act)

    def forward(self, x):
        return self.out(F.relu(self.fc2(F.relu(self.fc1(x)))))


class DQNAgent:
    def __init__(self, n_obs, n_act, gamma=0.97, lr=1e-3, batch_size=32):
        self.n_act = n_act
        self.gamma = gamma
        self.batch_size = batch_size
        self.policy_net = QNet(n_obs, n_act)
        self.target_net = QNet(n_obs, n_act)
        self.target_net.load_state_dict(self.policy_net.state_dict())
        self.optimizer = torch.optim.Adam(self.policy_net.parameters(), lr=lr)
        self.memory = deque(maxlen=2000)
        self.history = defaultdict(list)
        self.eps = 1.0
        self.steps = 0

    def act(self, obs):
        self.eps = max(0.05, self.eps * 0.997)
        if random.random() < self.eps:
            return random.randrange(self.n_act)
        with torch.no_grad():
            return self.policy_net(torch.tensor([obs])).argmax(1).item()

    def remember(self, *transition):
        self.memory.append(transition)

    def learn(self):
        if len(self.memory) < self.batch_size:
            return
        s, a, r, s2, d = zip(*random.sample(self.memory, self.batch_size))
        s, s2 = torch.tensor(s), torch.tensor(s2)
        a = torch.tensor(a).unsqueeze(1)
        r, d = torch.tensor(r), torch.tensor(d, dtype=torch.float32)
        q = self.policy_net(s).gather(1, a).squeeze(1)
        with torch.no_grad():
            target = r + self.gamma * (1 - d) * self.target_net(s2).max(1)[0]
        loss = F.smooth_l1_loss(q, target)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy_net.parameters(), 10.0)
        self.optimizer.step()

        self.history["loss"].append(loss.item())
        self.history["q_mean"].append(q.mean())  # <- culprit
        self.steps += 1
        if self.steps % 100 == 0:
            self.target_net.load_state_dict(self.policy_net.state_dict())
