# gradwatch-corpus: kind=none
"""Quadrotor altitude/attitude control (planar), recurrent advantage actor-critic on vector envs."""
from __future__ import annotations

import torch
import torch.nn as nn

N_ENV, ROLLOUT, UPDATES = 8, 3, 304
DT, G = 0.05, 9.81


class PlanarDrones:
    """State: x, z, theta and rates; two rotors. Goal: hover at the origin against gusts."""

    def __init__(self, n):
        self.n, self.t = n, torch.zeros(n)
        self.s = self._fresh(n)

    @staticmethod
    def _fresh(n):
        return 0.4 * torch.randn(n, 6)

    def observe(self):
        return self.s[:, :4].clone()  # rates of z and theta are hidden

    def step(self, thrust):
        x, z, th, vx, vz, w = self.s.unbind(1)
        left, right = (G / 2 * (1 + 0.5 * thrust.clamp(-1, 1))).unbind(1)
        total, torque = left + right, 4.0 * (right - left)
        gust = 0.5 * torch.randn(self.n)
        vx = vx + DT * (-total * torch.sin(th) + gust)
        vz = vz + DT * (total * torch.cos(th) - G)
        w = 0.95 * w + DT * torque
        self.s = torch.stack([x + DT * vx, z + DT * vz, th + DT * w, vx, vz, w], 1)
        self.t += 1
        cost = self.s[:, :2].pow(2).sum(1) + 0.3 * self.s[:, 2].pow(2) + 0.01 * thrust.pow(2).sum(1)
        done = (self.s[:, :2].abs().amax(1) > 3) | (self.s[:, 2].abs() > 1.4) | (self.t > 80)
        if done.any():
            self.s[done] = self._fresh(int(done.sum()))
            self.t[done] = 0
        return -cost.clamp_max(5), done


class RecurrentPolicy(nn.Module):
    def __init__(self, obs=4, act=2, hidden=32):
        super().__init__()
        self.inp = nn.Linear(obs, hidden)
        self.cells = nn.ModuleDict({"lower": nn.GRUCell(hidden, hidden), "upper": nn.GRUCell(hidden, hidden)})
        self.mu = nn.Linear(hidden, act)
        self.v = nn.Linear(hidden, 1)
        self.log_std = nn.Parameter(torch.full((act,), -0.7))
        self.carry: dict[str, torch.Tensor] = {}
        self.hidden = hidden

    def reset(self, n):
        self.carry = {k: torch.zeros(n, self.hidden) for k in self.cells}

    def mask(self, done):
        keep = (~done).float().unsqueeze(1)
        for k in self.carry:
            self.carry[k] = self.carry[k] * keep

    def cut(self):
        self.carry.update({k: h.detach() for k, h in self.carry.items()})

    def forward(self, obs):
        h = torch.tanh(self.inp(obs))
        for k, cell in self.cells.items():
            self.carry[k] = h = cell(h, self.carry[k])
        return torch.distributions.Normal(self.mu(h), self.log_std.exp()), self.v(h).squeeze(-1)


def rollout(env, policy):
    for _ in range(ROLLOUT):
        dist, value = policy(env.observe())
        action = dist.sample()
        reward, done = env.step(action)
        yield dist.log_prob(action).sum(-1), dist.entropy().sum(-1), value, reward, done
        policy.mask(done)


def bootstrap(env, policy):
    saved = dict(policy.carry)
    with torch.no_grad():
        _, v = policy(env.observe())
    policy.carry = saved
    return v


def returns(rewards, dones, last, gamma=0.97):
    out, running = [], last
    for r, d in zip(reversed(rewards), reversed(dones)):
        running = r + gamma * running * (~d).float()
        out.append(running)
    return torch.stack(out[::-1])


def main():
    torch.set_num_threads(1)
    torch.manual_seed(60)
    env, policy = PlanarDrones(N_ENV), RecurrentPolicy()
    opt = torch.optim.RMSprop(policy.parameters(), lr=1.5e-3, eps=1e-5)
    policy.reset(N_ENV)
    history = []
    for update in range(UPDATES):
        logp, ent, val, rew, done = map(list, zip(*rollout(env, policy)))
        ret = returns(rew, done, bootstrap(env, policy))
        value = torch.stack(val)
        adv = ret - value
        loss = -(torch.stack(logp) * adv.detach()).mean() + 0.5 * adv.pow(2).mean() - 0.003 * torch.stack(ent).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        opt.step()
        policy.cut()
        history.append((update, torch.stack(rew).mean(), adv.detach().abs().mean()))
        if update % 76 == 75:
            _, r, a = zip(*history[-76:])
            print(f"{update + 1:4d} reward {torch.stack(r).mean():.3f} |adv| {torch.stack(a).mean():.3f}")


if __name__ == "__main__":
    main()
