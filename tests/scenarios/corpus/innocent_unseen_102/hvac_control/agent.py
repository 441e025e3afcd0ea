import torch
from torch import nn
from torch.distributions import Categorical


class Agent:
    def __init__(self, lr, gamma=0.9):
        self.pi = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 3))
        self.v = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
        self.opt = torch.optim.Adam([*self.pi.parameters(), *self.v.parameters()], lr=lr)
        self.gamma = gamma
        self.baseline = torch.zeros(())

    def act(self, obs):
        dist = Categorical(logits=self.pi(obs))
        a = dist.sample()
        return a, dist.log_prob(a), self.v(obs).squeeze(-1)

    def learn(self, traj, last_obs, replay):
        with torch.no_grad():
            ret = self.v(last_obs).squeeze(-1)
        actor, critic = 0.0, 0.0
        for obs, _, logp, value, reward in reversed(traj):
            ret = reward + self.gamma * ret
            adv = ret - value
            actor = actor - (logp * (adv.detach() - self.baseline)).mean()
            critic = critic + adv.pow(2).mean()
            replay.store(obs, ret)
            self.baseline = 0.99 * self.baseline + 0.01 * adv.mean().detach()
        loss = actor + 0.5 * critic
        if len(replay) >= 64:
            obs, target = replay.draw(32)
            loss = loss + 0.5 * (self.v(obs).squeeze(-1) - target).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        value = torch.stack([t[3] for t in traj]).mean().detach()
        return {"reward": torch.stack([t[4] for t in traj]).mean().item(), "value": value}
