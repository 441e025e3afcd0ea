import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

from rollout import Rollout


class RecurrentPolicy(nn.Module):
    def __init__(self, n_obs, n_act, hidden=24):
        super().__init__()
        self.hidden = hidden
        self.gru = nn.GRUCell(n_obs, hidden)
        self.pi = nn.Linear(hidden, n_act)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs, h, mask):
        h = self.gru(obs, h * mask.unsqueeze(1))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(1), h


class A2C:
    def __init__(self, env, n_steps, gamma=0.97, ent=0.02):
        self.env, self.n_steps, self.gamma, self.ent = env, n_steps, gamma, ent
        self.policy = RecurrentPolicy(env.n_obs, env.n_act)
        self.opt = torch.optim.RMSprop(self.policy.parameters(), lr=3e-3, alpha=0.99, eps=1e-5)
        self.rollout = Rollout()
        self.obs = env.reset()
        self.mask = torch.ones(env.n)
        self.h = torch.zeros(env.n, self.policy.hidden)
        self.return_mean = torch.zeros(())
        self.history = {"ret": [], "adv": []}

    def collect(self):
        self.h = self.h.detach()
        for _ in range(self.n_steps):
            dist, value, self.h = self.policy(self.obs, self.h, self.mask)
            action = dist.sample()
            self.obs, reward, done = self.env.step(action)
            self.mask = 1 - done
            self.rollout.add(logp=dist.log_prob(action), value=value, entropy=dist.entropy(),
                             reward=reward, mask=self.mask)
        # bootstrap: the state after this must not move, so h is not stored
        _, self.last_value, _ = self.policy(self.obs, self.h, self.mask)

    def update(self):
        r = self.rollout.stack()
        returns = self.rollout.returns(self.last_value.detach(), self.gamma)
        adv = returns - r["value"]
        pg = -(r["logp"] * adv.detach()).mean()
        vf = F.mse_loss(r["value"], returns)
        ent = r["entropy"].mean()
        self.opt.zero_grad()
        (pg + 0.5 * vf - self.ent * ent).backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.opt.step()
        self.rollout.clear()

        self.return_mean = 0.95 * self.return_mean + 0.05 * returns.mean()
        self.history["ret"].append(self.return_mean)
        self.history["adv"].append(adv.detach().abs().mean())
        return {"pg": pg.item(), "vf": vf.item(), "ent": ent.item(), "ret": self.history["ret"][-1].item()}
