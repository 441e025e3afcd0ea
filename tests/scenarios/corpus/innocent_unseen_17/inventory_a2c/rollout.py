"""Keeps what the policy said on the way, until the update has used it."""
import torch


class Rollout:
    def __init__(self):
        self.clear()

    def clear(self):
        self.log_probs, self.values, self.entropies, self.rewards = [], [], [], []

    def add(self, log_prob, value, entropy, reward):
        self.log_probs.append(log_prob)
        self.values.append(value)
        self.entropies.append(entropy)
        self.rewards.append(reward)

    def advantages(self, last_value, gamma, lam):
        out, gae, nxt = [], 0.0, last_value
        for r, v in zip(reversed(self.rewards), reversed(self.values)):
            v = v.detach()
            gae = r + gamma * nxt - v + gamma * lam * gae
            out.append(gae)
            nxt = v
        return torch.stack(out[::-1])

    def loss(self, last_value, gamma=0.97, lam=0.9, value_weight=0.5, entropy_weight=0.01):
        adv = self.advantages(last_value, gamma, lam)
        values = torch.stack(self.values)
        target = adv + values.detach()
        norm = (adv - adv.mean()) / (adv.std() + 1e-6)
        policy = -(torch.stack(self.log_probs) * norm).mean()
        value = (values - target).pow(2).mean()
        return policy + value_weight * value - entropy_weight * torch.stack(self.entropies).mean()
