# gradwatch-corpus: kind=none
"""Advantage actor-critic for releasing water from a reservoir.

Policy and value share one trunk and one forward pass; the policy side (trunk and actor) and
the value side (critic plus its own adapter in the trunk) have separate optimizers.
"""
import math

import torch
from torch import nn
from torch.distributions import Categorical

RELEASES = torch.tensor([0.0, 0.15, 0.35, 0.7])


class Reservoirs:
    """A bundle of reservoirs run side by side; reward is power minus spill and shortage."""

    def __init__(self, n, gen):
        self.n, self.gen = n, gen
        self.level = torch.rand(n, generator=gen) * 0.5 + 0.3
        self.day = torch.randint(365, (n,), generator=gen)

    def observe(self):
        ang = 2 * math.pi * self.day / 365
        return torch.stack([self.level, ang.sin(), ang.cos(), self.level ** 2], dim=1)

    def step(self, action):
        season = 0.25 + 0.2 * torch.sin(2 * math.pi * self.day / 365)
        inflow = season * torch.rand(self.n, generator=self.gen) * 2
        want = RELEASES[action]
        out = torch.minimum(want, self.level)
        level = self.level - out + inflow
        spill = (level - 1).clamp_min(0)
        self.level = level.clamp(0, 1)
        self.day = (self.day + 5) % 365
        return out * (0.5 + self.level) - 1.5 * spill - 2 * (0.1 - self.level).clamp_min(0)


class ActorCritic(nn.Module):
    def __init__(self, obs=4, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, width), nn.Tanh())
        self.adapter = nn.Linear(width, width)
        self.actor = nn.Linear(width, len(RELEASES))
        self.critic = nn.Linear(width, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        mixed = torch.tanh(h + self.adapter(h))
        return self.actor(mixed), self.critic(mixed).squeeze(-1)


def rollout(env, net, horizon):
    logps, entropies, values, rewards = [], [], [], []
    for _ in range(horizon):
        logits, v = net(env.observe())
        pi = Categorical(logits=logits)
        a = pi.sample()
        rewards.append(env.step(a))
        logps.append(pi.log_prob(a))
        entropies.append(pi.entropy())
        values.append(v)
    with torch.no_grad():
        _, tail = net(env.observe())
    return map(torch.stack, (logps, entropies, values, rewards)), tail


def discounted(rewards, tail, gamma=0.95):
    out, ret = [], tail
    for r in reversed(rewards):
        ret = r + gamma * ret
        out.append(ret)
    return torch.stack(out[::-1])


def main(updates=320, horizon=5):
    torch.set_num_threads(1)
    torch.manual_seed(88)
    env = Reservoirs(16, torch.Generator().manual_seed(88))
    net = ActorCritic()
    policy_side = list(net.trunk.parameters()) + list(net.actor.parameters())
    value_side = list(net.adapter.parameters()) + list(net.critic.parameters())
    policy_opt = torch.optim.Adam(policy_side, lr=3e-3)
    value_opt = torch.optim.Adam(value_side, lr=1e-2)

    gains = []
    for u in range(updates):
        (logp, ent, val, rew), tail = rollout(env, net, horizon)
        ret = discounted(rew, tail)
        adv = ret - val.detach()
        policy_loss = -(logp * adv).mean() - 0.01 * ent.mean()
        value_loss = (ret - val).pow(2).mean()

        policy_opt.zero_grad()
        value_opt.zero_grad()
        policy_loss.backward(retain_graph=True, inputs=policy_side)
        value_loss.backward(inputs=value_side)
        policy_opt.step()
        value_opt.step()

        gains.append(rew.mean().item())
        if u % 40 == 39:
            print(f"{u + 1:4d}  reward {sum(gains[-40:]) / 40:+.4f}  value loss {value_loss.item():.4f}")


if __name__ == "__main__":
    main()
