import copy
from collections import deque

import numpy as np
import torch as th
from torch import nn
from torch.nn import functional as F


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Actor(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.net = mlp(obs_dim, 2 * act_dim)

    def action_log_prob(self, obs):
        mean, log_std = self.net(obs).chunk(2, -1)
        dist = th.distributions.Normal(mean, log_std.clamp(-5, 2).exp())
        raw = dist.rsample()
        act = th.tanh(raw)
        return act, (dist.log_prob(raw) - th.log(1 - act ** 2 + 1e-6)).sum(-1, keepdim=True)


class TwinCritic(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.q1, self.q2 = mlp(obs_dim + act_dim, 1), mlp(obs_dim + act_dim, 1)

    def forward(self, obs, act):
        x = th.cat([obs, act], 1)
        return self.q1(x), self.q2(x)


class SAC:
    def __init__(self, env, buffer, batch_size, ent_coef="auto", gamma=0.97, tau=0.02, learning_starts=50):
        self.env, self.buffer, self.batch_size = env, buffer, batch_size
        self.gamma, self.tau, self.learning_starts = gamma, tau, learning_starts
        self.actor, self.critic = Actor(3, 1), TwinCritic(3, 1)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.log_ent_coef = th.zeros(1, requires_grad=True)
        self.opt_actor = th.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_critic = th.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.opt_ent = th.optim.Adam([self.log_ent_coef], lr=1e-3)
        self.ep_info, self.losses = deque(maxlen=20), {"actor": [], "critic": [], "ent": []}

    def train(self):
        obs, act, rew, next_obs = self.buffer.sample(self.batch_size)
        pi, log_prob = self.actor.action_log_prob(obs)
        ent_coef = th.exp(self.log_ent_coef.detach())
        ent_loss = -(self.log_ent_coef * (log_prob - 1.0).detach()).mean()
        self.opt_ent.zero_grad()
        ent_loss.backward()
        self.opt_ent.step()
        with th.no_grad():
            next_act, next_logp = self.actor.action_log_prob(next_obs)
            next_q = th.min(*self.critic_target(next_obs, next_act)) - ent_coef * next_logp
            target = rew + self.gamma * next_q
        critic_loss = 0.5 * sum(F.mse_loss(q, target) for q in self.critic(obs, act))
        self.opt_critic.zero_grad()
        critic_loss.backward()
        self.opt_critic.step()
        actor_loss = (ent_coef * log_prob - th.min(*self.critic(obs, pi))).mean()
        self.opt_actor.zero_grad()
        actor_loss.backward()
        self.opt_actor.step()
        with th.no_grad():
            for p, t in zip(self.critic.parameters(), self.critic_target.parameters()):
                t.lerp_(p, self.tau)
        for k, v in (("actor", actor_loss), ("critic", critic_loss), ("ent", ent_loss)):
            self.losses[k].append(v.item())

    def learn(self, total_timesteps, log_interval):
        obs, ret = self.env.reset(), 0.0
        for t in range(1, total_timesteps + 1):
            with th.no_grad():
                act = self.actor.action_log_prob(th.as_tensor(obs)[None])[0][0].numpy()
            next_obs, rew, done = self.env.step(act)
            self.buffer.add(obs, act, rew, next_obs)
            ret += rew
            obs = next_obs
            if done:
                self.ep_info.append(ret)
                obs, ret = self.env.reset(), 0.0
            if t > self.learning_starts:
                self.train()
            if t % log_interval == 0 and self.losses["critic"]:
                print(t, {k: round(float(np.mean(v[-50:])), 3) for k, v in self.losses.items()}, list(self.ep_info)[-1:])
