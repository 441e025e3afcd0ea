from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Episode:
    obs: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    dists: list = field(default_factory=list)
    values: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def total(self):
        return sum(r.mean().item() for r in self.rewards)

    def stripped(self):
        return Episode(self.obs, self.actions, [], [v.detach() for v in self.values], self.rewards)

    def returns(self, gamma=0.9):
        out, run = [], torch.zeros_like(self.rewards[0])
        for r in reversed(self.rewards):
            run = r + gamma * run
            out.append(run)
        return torch.stack(out[::-1])


class Team:
    def __init__(self, n, obs, n_act):
        self.policies = nn.ModuleList(
            nn.Sequential(nn.Linear(obs, 20), nn.Tanh(), nn.Linear(20, n_act)) for _ in range(n))
        self.critic = nn.Sequential(nn.Linear(n * obs, 32), nn.ReLU(), nn.Linear(32, n))
        self.opt = torch.optim.Adam([*self.policies.parameters(), *self.critic.parameters()], lr=4e-3)

    def forward(self, obs):
        logits = torch.stack([p(o) for p, o in zip(self.policies, obs)])
        return torch.distributions.Categorical(logits=logits), self.critic(obs.flatten())

    def play(self, arena, horizon=8):
        ep, obs = Episode(), arena.reset()
        for _ in range(horizon):
            dist, value = self.forward(obs)
            action = dist.sample()
            ep.obs.append(obs)
            ep.actions.append(action)
            ep.dists.append(dist)
            ep.values.append(value)
            obs, reward = arena.step(action)
            ep.rewards.append(reward)
        return ep

    def learn(self, ep, mode, reuse):
        old = torch.stack([d.log_prob(a) for d, a in zip(ep.dists, ep.actions)]).detach()
        returns = ep.returns()
        for k in range(reuse):
            pairs = list(zip(ep.dists, ep.values)) if k == 0 else [self.forward(o) for o in ep.obs]
            logp = torch.stack([d.log_prob(a) for (d, _), a in zip(pairs, ep.actions)])
            values = torch.stack([v for _, v in pairs])
            adv = returns - values.detach()
            ratio = (logp - old).exp()
            pg = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean(0)
            vf = (values - returns).pow(2).mean(0)
            self.opt.zero_grad()
            if mode == "central":
                for i in range(len(self.policies)):
                    (pg[i] + 0.5 * vf[i]).backward(retain_graph=i + 1 < len(self.policies))
            else:
                (pg.sum() + 0.5 * vf.sum()).backward()
            self.opt.step()
