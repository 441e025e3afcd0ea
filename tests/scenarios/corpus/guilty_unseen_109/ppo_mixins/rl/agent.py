import torch
from torch import nn
from torch.distributions import Categorical

from .mixins import ClipMixin, ProbeMixin


class PPOAgent(ProbeMixin, ClipMixin, nn.Module):
    namespace = "policy"

    def __init__(self, obs_dim, n_actions, s):
        super().__init__()
        self.probe_every, self.clip, self.ent = s["probe_every"], s["clip"], s["entropy"]
        self.pi = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, n_actions))
        self.v = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, 1))
        self.opt = torch.optim.Adam(self.parameters(), lr=s["lr"])

    def act(self, obs):
        d = Categorical(logits=self.pi(obs))
        a = d.sample()
        return a, d.log_prob(a)

    def update(self, batch):
        self.tick()
        dist = Categorical(logits=self.pi(batch.obs))
        logp = dist.log_prob(batch.actions)
        value = self.v(batch.obs).squeeze(-1)
        adv = (batch.returns - value).detach()
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        log_ratio = logp - batch.logp
        ratio = log_ratio.exp()
        pg, vf, ent = self.surrogate(ratio, adv), (value - batch.returns).pow(2).mean(), dist.entropy().mean()
        self.probe("value_loss", vf.item())
        self.probe("approx_kl", ((ratio - 1) - log_ratio).mean())  # <- culprit
        self.probe("clipped", ((ratio - 1).abs() > self.clip).float().mean())
        loss = pg + 0.5 * vf - self.ent * ent
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters(), 0.5)
        self.opt.step()
