import torch
from torch import nn
from torch.distributions import Normal


class ActorCritic(nn.Module):
    def __init__(self, o, a):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(o, 24), nn.Tanh(), nn.Linear(24, a))
        self.vf = nn.Sequential(nn.Linear(o, 24), nn.Tanh(), nn.Linear(24, 1))
        self.log_std = nn.Parameter(-0.5 * torch.ones(a))

    def forward(self, obs):
        return Normal(self.pi(obs), self.log_std.exp()), self.vf(obs).squeeze(-1)


class PPO:
    def __init__(self, o, a, clip=0.2, epochs=4, minibatches=4):
        self.ac = ActorCritic(o, a)
        self.opt = torch.optim.Adam(self.ac.parameters(), lr=3e-3)
        self.clip, self.epochs, self.minibatches = clip, epochs, minibatches

    def losses(self, d):
        dist, v = self.ac(d["obs"])
        logp = dist.log_prob(d["act"]).sum(-1)
        ratio = (logp - d["logp"]).exp()
        adv = d["ret"] - d["val"]
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        pg = -torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv).mean()
        kl = (d["logp"] - logp).mean().item()
        return pg, (v - d["ret"]).pow(2).mean(), dist.entropy().mean(), kl

    def learn(self, data):
        flat = {k: v.flatten(0, 1) for k, v in data.items()}
        n, kls = flat["ret"].size(0), []
        for _ in range(self.epochs):
            for idx in torch.randperm(n).chunk(self.minibatches):
                pg, vf, ent, kl = self.losses({k: v[idx] for k, v in flat.items()})
                self.opt.zero_grad()
                (pg + 0.5 * vf - 0.003 * ent).backward()
                nn.utils.clip_grad_norm_(self.ac.parameters(), 0.5)
                self.opt.step()
                kls.append(kl)
            if kls[-1] > 0.3:
                break
        return sum(kls) / len(kls)
