import torch
from torch import nn
from torch.distributions import Normal

from .memory import Centre, Steps


class DockAgent:
    def __init__(self, state_dim):
        self.policy = nn.Sequential(nn.Linear(state_dim, 16), nn.Tanh(), nn.Linear(16, 1))
        self.spread = nn.Parameter(torch.tensor(-0.5))
        self.value = nn.Sequential(nn.Linear(state_dim, 16), nn.Tanh(), nn.Linear(16, 1))
        self.centre = Centre(0.05)
        self.opt = torch.optim.Adam([*self.policy.parameters(), self.spread, *self.value.parameters()], lr=2e-3)

    def episode(self, env):
        steps, s = Steps(), env.reset()
        for _ in range(env.horizon):
            d = Normal(self.policy(s).squeeze(-1), self.spread.exp())
            a = d.sample()
            nxt, r = env.push(a)
            steps.push(d.log_prob(a), self.value(s).squeeze(-1), r)
            s = nxt
        return steps

    def learn(self, steps):
        ret = steps.to_go(0.96)
        val = torch.stack(steps.value)
        base = self.centre.update(val)
        adv = (ret - val - (base - val.mean()) * 0.1).detach()
        loss = -(torch.stack(steps.logp) * adv).mean() + 0.5 * (val - ret).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
