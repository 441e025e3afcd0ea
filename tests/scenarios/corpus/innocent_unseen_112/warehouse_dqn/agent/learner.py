import copy

import torch
import torch.nn.functional as F
from torch import nn


class QNet(nn.Module):
    """Adds coordinate planes, made on first use for each size and kept."""

    def __init__(self, n_actions):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(3, 8, 10, stride=10), nn.ReLU(), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU())
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(16 * 36, 48), nn.ReLU(), nn.Linear(48, n_actions))
        self._planes = {}

    def planes(self, n, h, w):
        if (n, h, w) not in self._planes:
            y = torch.linspace(-1, 1, h).view(1, 1, h, 1).expand(n, 1, h, w)
            x = torch.linspace(-1, 1, w).view(1, 1, 1, w).expand(n, 1, h, w)
            self._planes[n, h, w] = torch.cat([y, x], 1).contiguous()
        return self._planes[n, h, w]

    def forward(self, img):
        n, _, h, w = img.shape
        return self.head(self.conv(torch.cat([img, self.planes(n, h, w)], 1)))


class Learner:
    def __init__(self, n_actions, lr, gamma=0.95):
        self.q = QNet(n_actions)
        self.target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.gamma, self.n_actions = gamma, n_actions

    @torch.no_grad()
    def act(self, obs, eps, rng):
        if rng.random() < eps:
            return rng.randrange(self.n_actions)
        return self.q(torch.from_numpy(obs)[None]).argmax().item()

    def learn(self, batch):
        obs, act, reward, nxt, done = batch
        with torch.no_grad():
            best = self.q(nxt).argmax(1, keepdim=True)
            goal = reward + self.gamma * (1 - done) * self.target(nxt).gather(1, best).squeeze(1)
        value = self.q(obs).gather(1, act[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(value, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def sync(self):
        self.target.load_state_dict(self.q.state_dict())
