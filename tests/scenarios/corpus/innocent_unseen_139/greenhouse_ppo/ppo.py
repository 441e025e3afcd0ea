import torch
from torch import nn
from torch.distributions import Categorical


class PPO:
    def __init__(self, n_obs, n_act, width=16):
        self.trunk = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh())
        self.pi, self.v = nn.Linear(width, n_act), nn.Linear(width, 1)
        self.nets = nn.ModuleList([self.trunk, self.pi, self.v])
        self.opt = torch.optim.Adam(self.nets.parameters(), lr=4e-3)

    def heads(self, obs):
        z = self.trunk(obs)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)

    def act(self, obs):
        dist, value = self.heads(obs)
        act = dist.sample()
        return act, dist.log_prob(act), value

    @torch.no_grad()
    def value_of(self, obs):
        return self.heads(obs)[1]

    def improve(self, data, epochs, minibatch):
        stats = {"pi": 0.0, "v": 0.0}
        for _ in range(epochs):
            for idx in torch.randperm(len(data["act"])).split(minibatch):
                d = {k: c[idx] for k, c in data.items()}
                dist, value = self.heads(d["obs"])
                ratio = (dist.log_prob(d["act"]) - d["logp"]).exp()
                pi = -torch.min(ratio * d["adv"], ratio.clamp(0.8, 1.2) * d["adv"]).mean()
                v = (value - d["ret"]).square().mean()
                self.opt.zero_grad()
                (pi + 0.5 * v - 0.01 * dist.entropy().mean()).backward()
                self.opt.step()
                stats["pi"] += pi.item()
                stats["v"] += v.item()
        return stats
