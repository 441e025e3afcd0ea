# gradwatch-corpus: kind=none
# after: n-step actor-critic repositories (saved_log_probs of a rollout, used at its end and then del'd)
"""Altitude hold of a drone. The critic learns at every step (TD(0)); the actor once per rollout.

The log-probabilities of a rollout keep their graph over ROLLOUT critic steps, are used once in
finish_rollout and then thrown away.
"""
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal

GAMMA = 0.97
ROLLOUT = 6
EPISODES = 10
EPISODE_LEN = 60

SavedAction = namedtuple('SavedAction', ['log_prob', 'td_error', 'entropy'])


class Drone:
    """A lot of drones flown in parallel, height and climb rate, gusts from outside."""

    def __init__(self, n, seed):
        self.n = n
        self.g = torch.Generator().manual_seed(seed)

    def reset(self):
        self.z = torch.randn(self.n, generator=self.g)
        self.w = torch.zeros(self.n)
        return self.obs()

    def obs(self):
        return torch.stack([self.z, self.w], 1)

    def step(self, thrust):
        gust = 0.1 * torch.randn(self.n, generator=self.g)
        self.w = 0.95 * self.w + 0.2 * thrust.clamp(-1, 1) + gust
        self.z = (self.z + 0.2 * self.w).clamp(-4, 4)
        return self.obs(), -(self.z ** 2) - 0.01 * thrust ** 2


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, obs):
        return Normal(self.net(obs).squeeze(1), self.log_std.exp())


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 48), nn.Tanh(), nn.Linear(48, 1))

    def forward(self, obs):
        return self.net(obs).squeeze(1)


actor, critic = Actor(), Critic()
actor_opt = torch.optim.Adam(actor.parameters(), lr=5e-3)
critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-2)
saved_actions = []


def learn_critic(obs, reward, next_obs):
    with torch.no_grad():
        target = reward + GAMMA * critic(next_obs)
    value = critic(obs)
    loss = F.smooth_l1_loss(value, target)
    critic_opt.zero_grad()
    loss.backward()
    critic_opt.step()
    return (target - value).detach()


def finish_rollout():
    policy_loss = 0
    discount = 1.0
    for log_prob, td_error, entropy in saved_actions:
        policy_loss = policy_loss - discount * (log_prob * td_error).mean() - 1e-3 * entropy.mean()
        discount *= GAMMA
    actor_opt.zero_grad()
    policy_loss.backward()
    nn.utils.clip_grad_norm_(actor.parameters(), 1.0)
    actor_opt.step()
    del saved_actions[:]
    return policy_loss.item()


def main():
    torch.manual_seed(0)
    env = Drone(32, seed=0)
    running_reward = None
    for episode in range(EPISODES):
        obs = env.reset()
        ep_reward = 0.0
        for t in range(1, EPISODE_LEN + 1):
            dist = actor(obs)
            thrust = dist.sample()
            next_obs, reward = env.step(thrust)
            td_error = learn_critic(obs, reward, next_obs)
            saved_actions.append(SavedAction(dist.log_prob(thrust), td_error, dist.entropy()))
            ep_reward += reward.mean().item()
            obs = next_obs
            if t % ROLLOUT == 0:
                finish_rollout()
        running_reward = ep_reward if running_reward is None else 0.7 * running_reward + 0.3 * ep_reward
        print('episode %d reward %.2f running %.2f std %.2f' % (
            episode, ep_reward, running_reward, actor.log_std.exp().item()))


if __name__ == '__main__':
    main()
