import copy

import torch
from torch import nn
from torch.nn import functional as F


class DuelingNet(nn.Module):
    def __init__(self, obs_dim, actions, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.value = nn.Linear(width, 1)
        self.advantage = nn.Linear(width, actions)

    def forward(self, obs):
        h = self.body(obs)
        adv = self.advantage(h)
        return self.value(h) + adv - adv.mean(dim=-1, keepdim=True)


class DoubleDQN:
    def __init__(self, obs_dim, actions, gamma=0.95, lr=1e-3):
        self.online = DuelingNet(obs_dim, actions)
        self.target = copy.deepcopy(self.online)
        self.gamma = gamma
        self.optimizer = torch.optim.Adam(self.online.parameters(), lr=lr)

    @torch.no_grad()
    def greedy(self, obs):
        return self.online(obs).argmax().item()

    def learn(self, batch):
        obs, action, reward, nxt, done = batch
        q = self.online(obs).gather(1, action.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.online(nxt).argmax(dim=1, keepdim=True)
            goal = reward + self.gamma * (1 - done) * self.target(nxt).gather(1, best).squeeze(1)
        loss = F.smooth_l1_loss(q, goal)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def sync(self):
        self.target.load_state_dict(self.online.state_dict())
