"""What an episode leaves for the learner."""
import torch


class Rollout:
    def __init__(self):
        self.steps = []
        self.rewards = []

    def record(self, log_prob, value, entropy, reward):
        self.steps.append((log_prob, value, entropy))
        self.rewards.append(reward)

    @property
    def total_reward(self):
        return sum(self.rewards)

    def returns(self, gamma):
        out, acc = [], 0.0
        for r in reversed(self.rewards):
            acc = r + gamma * acc
            out.append(acc)
        return torch.tensor(out[::-1])

    def stacked(self):
        return [torch.stack(column) for column in zip(*self.steps)]

    def clear(self):
        self.steps.clear()
        self.rewards.clear()
