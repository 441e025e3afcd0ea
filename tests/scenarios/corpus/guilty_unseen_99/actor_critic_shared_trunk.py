# gradwatch-corpus: kind=second-backward
# holder: rollout.feats | feats
# first-bad: 0
# notice: 0
"""n-step actor-critic on a windy corridor; critic and policy share one trunk.

The critic loss gets its own backward so that its gradient can be clipped separately.
"""
from collections import namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(5)

Rollout = namedtuple("Rollout", "obs actions rewards feats last_value")
LENGTH, HORIZON, GAMMA = 9, 12, 0.95


class Corridor:
    def __init__(self, n_envs=8):
        self.n = n_envs
        self.pos = torch.zeros(n_envs, dtype=torch.long)

    def obs(self):
        return nn.functional.one_hot(self.pos, LENGTH).float()

    def step(self, action):
        move = action * 2 - 1
        wind = -(torch.rand(self.n) < 0.2).long()
        self.pos = (self.pos + move + wind).clamp(0, LENGTH - 1)
        done = self.pos == LENGTH - 1
        self.pos = torch.where(done, torch.zeros_like(self.pos), self.pos)
        return self.obs(), done.float() - 0.01


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(LENGTH, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.pi = nn.Linear(32, 2)
        self.v = nn.Linear(32, 1)


def collect(env, agent):
    obs, actions, rewards = [], [], []
    o = env.obs()
    for _ in range(HORIZON):
        with torch.no_grad():
            a = Categorical(logits=agent.pi(agent.trunk(o))).sample()
        obs.append(o)
        actions.append(a)
        o, r = env.step(a)
        rewards.append(r)
    obs = torch.stack(obs)
    feats = agent.trunk(obs)
    with torch.no_grad():
        last = agent.v(agent.trunk(o)).squeeze(-1)
    return Rollout(obs, torch.stack(actions), torch.stack(rewards), feats, last)


def returns(rollout):
    out, g = [], rollout.last_value
    for r in rollout.rewards.flip(0):
        g = r + GAMMA * g
        out.append(g)
    return torch.stack(out[::-1])


def update(agent, opt, rollout):
    opt.zero_grad()
    target = returns(rollout)
    value = agent.v(rollout.feats).squeeze(-1)
    critic_loss = (target - value).pow(2).mean()
    critic_loss.backward()  # <- culprit
    nn.utils.clip_grad_norm_(agent.v.parameters(), 0.5)

    adv = (target - value).detach()
    dist = Categorical(logits=agent.pi(rollout.feats))  # <- culprit
    logp = dist.log_prob(rollout.actions)
    actor_loss = -(logp * adv).mean() - 0.01 * dist.entropy().mean()
    actor_loss.backward()
    opt.step()
    return actor_loss.item(), critic_loss.item()


if __name__ == "__main__":
    env, agent = Corridor(), Agent()
    opt = torch.optim.RMSprop(agent.parameters(), lr=1e-3)
    for it in range(200):
        rollout = collect(env, agent)
        a, c = update(agent, opt, rollout)
        if it % 25 == 0:
            print(it, f"actor {a:.4f} critic {c:.4f} reward {rollout.rewards.mean():.4f}")
