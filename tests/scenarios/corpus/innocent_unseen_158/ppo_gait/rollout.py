from typing import NamedTuple

import torch


class Batch(NamedTuple):
    obs: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    rewards: torch.Tensor
    returns: torch.Tensor
    advantages: torch.Tensor


class Walker:
    def __init__(self):
        self.state = torch.zeros(3)

    def step(self, action):
        position, speed, phase = self.state.tolist()
        speed = 0.9 * speed + 0.1 * float(action)
        phase = (phase + 0.2) % 2.0
        position = 0.95 * position + speed
        self.state = torch.tensor([position, speed, phase])
        return 1.0 - (position - (phase - 1.0)) ** 2


@torch.no_grad()
def collect(agent, env, steps, gamma=0.95):
    obs, actions, logs, rewards, values = [], [], [], [], []
    for _ in range(steps):
        state = env.state
        dist, value = agent.policy(state)
        action = dist.sample()
        obs.append(state)
        actions.append(action)
        logs.append(dist.log_prob(action).squeeze(-1))
        values.append(value)
        rewards.append(env.step(action))
    returns, running = [], 0.0
    for reward in reversed(rewards):
        running = reward + gamma * running
        returns.insert(0, running)
    returns = torch.tensor(returns)
    advantages = returns - torch.stack(values)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    return Batch(torch.stack(obs), torch.stack(actions), torch.stack(logs),
                 torch.tensor(rewards), returns, advantages)
