from dataclasses import dataclass

import torch

from corridor import EpisodeOver


@dataclass
class Rollout:
    log_probs: torch.Tensor
    values: torch.Tensor
    entropies: torch.Tensor
    rewards: torch.Tensor


class Collector:
    def __init__(self, env, agent):
        self.env = env
        self.agent = agent
        self.finished = []

    def episode(self):
        log_probs, values, entropies, rewards = [], [], [], []
        obs = self.env.reset()
        try:
            while True:
                dist, value = self.agent(obs)
                action = dist.sample()
                log_probs.append(dist.log_prob(action))
                entropies.append(dist.entropy())
                values.append(value)
                obs, reward = self.env.step(action.item())
                rewards.append(reward)
        except EpisodeOver as stop:
            rewards.append(stop.reward)
            self.finished.append(stop)  # <- culprit
        return Rollout(
            torch.stack(log_probs), torch.stack(values), torch.stack(entropies), torch.tensor(rewards)
        )
