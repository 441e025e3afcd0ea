"""Network, running moments of the returns, and the learner."""
import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh())
        self.pi = nn.Linear(width, n_act)
        self.v = nn.Linear(width, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class RunningMoments:
    """Exponentially weighted first and second moment."""

    def __init__(self, beta=0.98):
        self.beta = beta
        self.mean = torch.zeros(())
        self.sq = torch.ones(())

    def update(self, x):
        b = self.beta
        self.mean = b * self.mean + (1 - b) * x.mean()  # <- culprit
        self.sq = b * self.sq + (1 - b) * x.pow(2).mean()  # <- culprit

    @property
    def std(self):
        return (self.sq - self.mean ** 2).clamp_min(1e-4).sqrt()

    def __call__(self, x):
        return ((x - self.mean) / self.std).detach()


class A2CAgent:
    def __init__(self, net, gamma, lr, value_coef=0.5, entropy_coef=0.01):
        self.net = net
        self.gamma = gamma
        self.value_coef, self.entropy_coef = value_coef, entropy_coef
        self.scale = RunningMoments()
        self.optim = torch.optim.RMSprop(net.parameters(), lr=lr, eps=1e-5)

    def returns(self, batch, last_obs):
        _, tail = self.net(last_obs)  # <- culprit
        g = tail
        out = []
        for r, d in zip(reversed(batch["reward"]), reversed(batch["done"])):
            g = r + self.gamma * (1 - d) * g
            out.append(g)
        return torch.stack(out[::-1])

    def learn(self, batch, last_obs):
        ret = self.returns(batch, last_obs)
        self.scale.update(ret)
        target = self.scale(ret)
        adv = target - batch["value"].detach()
        pi_loss = -(batch["logp"] * adv).mean()
        v_loss = (target - batch["value"]).pow(2).mean()
        ent = batch["ent"].mean()
        loss = pi_loss + self.value_coef * v_loss - self.entropy_coef * ent
        self.optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.optim.step()
        return {"pi": pi_loss.item(), "v": v_loss.item(), "ent": ent.item()}
