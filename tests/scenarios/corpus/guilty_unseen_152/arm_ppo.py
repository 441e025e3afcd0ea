# gradwatch-corpus: kind=second-backward
# holder: rollout.log_probs | old_log_probs
# first-bad: 1
"""Clipped policy gradient for a one-joint arm that has to hold a set point."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Normal


@dataclass
class PPOConfig:
    horizon: int = 32
    updates: int = 20
    epochs: int = 4
    clip: float = 0.2
    gamma: float = 0.95
    lr: float = 3e-3
    value_weight: float = 0.5


@dataclass
class Rollout:
    observations: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    log_probs: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def returns(self, gamma):
        out, running = [], 0.0
        for reward in reversed(self.rewards):
            running = reward + gamma * running
            out.append(running)
        return torch.tensor(out[::-1])


class Joint:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.angle, self.speed = ((torch.rand(2, generator=self.gen) - 0.5) * 2).tolist()

    def observation(self):
        return torch.tensor([self.angle, self.speed])

    def apply(self, torque):
        self.speed = 0.9 * self.speed + 0.2 * max(-2.0, min(2.0, torque)) - 0.1 * self.angle
        self.angle += 0.2 * self.speed
        return -(self.angle ** 2) - 0.05 * self.speed ** 2


class ActorCritic(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1))
        self.critic = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_std = nn.Parameter(torch.tensor(-0.5))

    def policy(self, obs):
        return Normal(self.actor(obs).squeeze(-1), self.log_std.exp())

    def value(self, obs):
        return self.critic(obs).squeeze(-1)


def collect(model, joint, cfg):
    rollout = Rollout()
    joint.reset()
    for _ in range(cfg.horizon):
        obs = joint.observation()
        policy = model.policy(obs)
        action = policy.sample()
        rollout.observations.append(obs)
        rollout.actions.append(action)
        rollout.log_probs.append(policy.log_prob(action))  # <- culprit
        rollout.rewards.append(joint.apply(action.item()))
    return rollout


def improve(model, optimizer, rollout, cfg):
    obs, actions = torch.stack(rollout.observations), torch.stack(rollout.actions)
    old_log_probs = torch.stack(rollout.log_probs)  # <- culprit
    returns = rollout.returns(cfg.gamma)
    for _ in range(cfg.epochs):
        value = model.value(obs)
        advantage = returns - value.detach()
        ratio = (model.policy(obs).log_prob(actions) - old_log_probs).exp()
        clipped = ratio.clamp(1 - cfg.clip, 1 + cfg.clip)
        loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
        loss = loss + cfg.value_weight * nn.functional.mse_loss(value, returns)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return sum(rollout.rewards)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = PPOConfig()
    net = ActorCritic()
    adam = torch.optim.Adam(net.parameters(), config.lr)
    arm = Joint(seed=1)
    for update in range(config.updates):
        print(f"update {update}  return {improve(net, adam, collect(net, arm, config), config):.2f}", flush=True)
