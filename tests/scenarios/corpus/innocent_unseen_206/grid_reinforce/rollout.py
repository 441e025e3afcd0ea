import torch
import torch.nn.functional as F


class Episode:
    def __init__(self, gamma):
        self.gamma = gamma
        self.clear()

    def clear(self):
        self.log_probs, self.values, self.entropies, self.rewards = [], [], [], []

    def add(self, log_prob, value, entropy, reward):
        self.log_probs.append(log_prob)
        self.values.append(value)
        self.entropies.append(entropy)
        self.rewards.append(reward)

    def total(self):
        return sum(self.rewards)

    def loss(self, baseline):
        out, acc = [], 0.0
        for r in reversed(self.rewards):
            acc = r + self.gamma * acc
            out.append(acc)
        returns = torch.tensor(out[::-1])
        values = torch.stack(self.values)
        advantage = returns - values.detach() - 0.1 * baseline
        policy = -(torch.stack(self.log_probs) * advantage).mean()
        return policy + 0.5 * F.mse_loss(values, returns) - 0.01 * torch.stack(self.entropies).mean()
