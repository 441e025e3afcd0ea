import torch
import torch.nn as nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, hid=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, hid), nn.Tanh())
        self.pi = nn.Linear(hid, n_act)
        self.v = nn.Linear(hid, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


class A2C:
    def __init__(self, n_obs, n_act, writer, gamma=0.97, lr=5e-3, ent_coef=0.01, vf_coef=0.5):
        self.net = ActorCritic(n_obs, n_act)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=lr)
        self.writer = writer
        self.gamma, self.ent_coef, self.vf_coef = gamma, ent_coef, vf_coef

    @torch.no_grad()
    def act(self, obs):
        dist, _ = self.net(torch.tensor(obs))
        return dist.sample().item()

    @torch.no_grad()
    def _returns(self, batch, last_obs):
        _, boot = self.net(torch.tensor(last_obs))
        ret, out = boot.item(), []
        for r, d in zip(reversed(batch["rew"]), reversed(batch["done"])):
            ret = r + self.gamma * ret * (1.0 - float(d))
            out.append(ret)
        return torch.tensor(out[::-1])

    def update(self, batch, last_obs, step):
        obs = torch.tensor(batch["obs"])
        act = torch.tensor(batch["act"])
        ret = self._returns(batch, last_obs)
        dist, value = self.net(obs)
        adv = ret - value.detach()
        pg_loss = -(dist.log_prob(act) * adv).mean()
        vf_loss = (ret - value).pow(2).mean()
        entropy = dist.entropy().mean()
        loss = pg_loss + self.vf_coef * vf_loss - self.ent_coef * entropy

        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()

        self.writer.add_scalar("loss/policy", pg_loss.item(), step)
        self.writer.add_scalar("loss/value", vf_loss.item(), step)
        self.writer.add_scalar("policy/entropy", entropy, step)  # <- culprit
        self.writer.add_scalar("policy/adv_std", adv.std().item(), step)
