import torch


class NStepWindow:
    def __init__(self, n, gamma):
        self.n, self.gamma = n, gamma
        self.values, self.rewards = [], []

    def push(self, value, reward):
        self.values.append(value)
        self.rewards.append(reward)

    @property
    def full(self):
        return len(self.values) >= self.n

    def close(self, bootstrap):
        target, targets = bootstrap.detach(), []
        for r in reversed(self.rewards):
            target = r + self.gamma * target
            targets.append(target)
        loss = (torch.stack(self.values) - torch.stack(targets[::-1])).square().mean()
        self.values, self.rewards = [], []
        return loss
