# gradwatch-corpus: kind=inplace-modified
# first-bad: 2
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F

cfg = SimpleNamespace(obs=6, act=2, latent=24, horizon=4, gamma=0.97, rho=0.7, pi_every=3, lr=1e-3, steps=90, bs=32)


def net(*dims):
    layers = []
    for i, (a, b) in enumerate(zip(dims[:-1], dims[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(dims) - 2:
            layers += [nn.LayerNorm(b), nn.Mish()]
    return nn.Sequential(*layers)


class TOLD(nn.Module):
    def __init__(self):
        super().__init__()
        self._enc = net(cfg.obs, 48, cfg.latent)
        self._dyn = net(cfg.latent + cfg.act, 48, cfg.latent)
        self._rew = net(cfg.latent + cfg.act, 48, 1)
        self._q = net(cfg.latent + cfg.act, 48, 1)
        self._pi = net(cfg.latent, 48, cfg.act)

    def h(self, obs):
        return F.normalize(self._enc(obs), dim=-1)

    def next(self, z, a):
        x = torch.cat([z, a], -1)
        return F.normalize(self._dyn(x), dim=-1), self._rew(x).squeeze(-1)

    def Q(self, z, a):
        return self._q(torch.cat([z, a], -1)).squeeze(-1)

    def pi(self, z, std=0.1):
        mu = torch.tanh(self._pi(z))
        return (mu + std * torch.randn_like(mu)).clamp(-1, 1)


class SequenceSampler:
    def __init__(self, n=400, seed=0):
        g = torch.Generator().manual_seed(seed)
        H = cfg.horizon
        W = torch.randn(cfg.act, cfg.obs, generator=g) * 0.2
        self.obs = torch.zeros(n, H + 1, cfg.obs)
        self.obs[:, 0] = torch.randn(n, cfg.obs, generator=g)
        self.act = torch.rand(n, H, cfg.act, generator=g) * 2 - 1
        for t in range(H):
            self.obs[:, t + 1] = 0.95 * self.obs[:, t] + self.act[:, t] @ W
        self.rew = -self.obs[:, 1:].norm(dim=-1)
        self.g = g

    def sample(self):
        i = torch.randint(0, len(self.obs), (cfg.bs,), generator=self.g)
        return self.obs[i].transpose(0, 1), self.act[i].transpose(0, 1), self.rew[i].T


class Agent:
    def __init__(self):
        self.model = TOLD()
        pi_params = list(self.model._pi.parameters())
        ids = {id(p) for p in pi_params}
        self.optim = torch.optim.Adam([p for p in self.model.parameters() if id(p) not in ids], lr=cfg.lr)
        self.pi_optim = torch.optim.Adam(pi_params, lr=cfg.lr)

    @torch.no_grad()
    def td_target(self, next_obs, reward):
        z = self.model.h(next_obs)
        return reward + cfg.gamma * self.model.Q(z, self.model.pi(z))

    def policy_objective(self, zs):
        total = 0.0
        for t, z in enumerate(zs):
            total = total - cfg.rho ** t * self.model.Q(z, self.model.pi(z)).mean()
        return total / len(zs)

    def losses(self, obs, act, rew, with_policy):
        z = self.model.h(obs[0])
        zs = [z.detach()]
        consistency = reward_l = value_l = 0.0
        for t in range(cfg.horizon):
            w = cfg.rho ** t
            q = self.model.Q(z, act[t])
            z, r = self.model.next(z, act[t])
            with torch.no_grad():
                z_tgt = self.model.h(obs[t + 1])
            consistency = consistency + w * F.mse_loss(z, z_tgt)
            reward_l = reward_l + w * F.mse_loss(r, rew[t])
            value_l = value_l + w * F.mse_loss(q, self.td_target(obs[t + 1], rew[t]))
            zs.append(z.detach())
        model_loss = 2.0 * consistency + 0.5 * reward_l + 0.1 * value_l
        pi_loss = self.policy_objective(zs) if with_policy else None  # <- culprit
        return model_loss, pi_loss

    def update(self, sampler, step):
        model_loss, pi_loss = self.losses(*sampler.sample(), with_policy=(step + 1) % cfg.pi_every == 0)  # <- culprit
        self.optim.zero_grad(set_to_none=True)
        model_loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10)
        self.optim.step()  # <- culprit
        if pi_loss is not None:
            self.pi_optim.zero_grad(set_to_none=True)
            pi_loss.backward()  # <- culprit
            self.pi_optim.step()
        return model_loss.item()


torch.manual_seed(12)
agent, sampler = Agent(), SequenceSampler()
for step in range(cfg.steps):
    l = agent.update(sampler, step)
    if step % 15 == 0:
        print(step, f"{l:.4f}")
