import torch
from torch import nn
from torch.distributions import Categorical


class PPO:
    def __init__(self, obs_dim, n_act, clip=0.2, epochs=3):
        self.pi = nn.Sequential(nn.Linear(obs_dim, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, n_act))
        self.v = nn.Sequential(nn.Linear(obs_dim, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
        self.params = [*self.pi.parameters(), *self.v.parameters()]
        self.opt = torch.optim.Adam(self.params, lr=3e-4, eps=1e-5)
        self.clip, self.epochs = clip, epochs

    @torch.no_grad()
    def act(self, obs):
        d = Categorical(logits=self.pi(obs))
        a = d.sample()
        return a, d.log_prob(a), self.v(obs).squeeze(-1)

    @torch.no_grad()
    def value(self, obs):
        return self.v(obs).squeeze(-1)

    def update(self, storage):
        tot = {"pi": 0.0, "v": 0.0, "kl": 0.0}
        for _ in range(self.epochs):
            for obs, act, old, adv, ret in storage.minibatches(4):
                d = Categorical(logits=self.pi(obs))
                logp = d.log_prob(act)
                ratio = (logp - old).exp()
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                l_pi = -torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv).mean()
                l_v = (self.v(obs).squeeze(-1) - ret).pow(2).mean()
                self.opt.zero_grad()
                (l_pi + 0.5 * l_v - 0.01 * d.entropy().mean()).backward()
                nn.utils.clip_grad_norm_(self.params, 0.5)
                self.opt.step()
                tot["pi"] += l_pi.item()
                tot["v"] += l_v.item()
                tot["kl"] += (old - logp).mean().item()
        return tot
