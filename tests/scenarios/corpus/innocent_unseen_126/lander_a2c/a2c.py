import torch
from torch import nn
from torch.distributions import Categorical


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 24), nn.Tanh())
        self.pi, self.v = nn.Linear(24, 2), nn.Linear(24, 1)

    def forward(self, o):
        h = self.body(o)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(1)


class A2C:
    def __init__(self, envs, n_steps, gamma=0.97):
        self.envs, self.n_steps, self.gamma = envs, n_steps, gamma
        self.net = Net()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.logps, self.values, self.rewards, self.masks, self.entropies = [], [], [], [], []

    def update(self):
        obs = self.envs.obs()
        for _ in range(self.n_steps):
            dist, value = self.net(obs)
            a = dist.sample()
            obs, r, done = self.envs.step(a)
            self.logps.append(dist.log_prob(a))
            self.entropies.append(dist.entropy())
            self.values.append(value)
            self.rewards.append(r)
            self.masks.append(1 - done)
        with torch.no_grad():
            R = self.net(obs)[1]
        actor = critic = 0
        for i in reversed(range(self.n_steps)):
            R = self.rewards[i] + self.gamma * self.masks[i] * R
            adv = R - self.values[i]
            actor = actor - (self.logps[i] * adv.detach()).mean()
            critic = critic + adv.pow(2).mean()
        loss = actor + 0.5 * critic - 0.01 * torch.stack(self.entropies).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        out = {"reward": torch.stack(self.rewards).mean().item(), "loss": loss.item()}
        for buf in (self.logps, self.values, self.rewards, self.masks, self.entropies):
            buf.clear()
        return out
