import torch


def gae(rewards, values, bootstrap, gamma=0.97, lam=0.9):
    """rewards, values: (T, N); bootstrap: (N,). Returns advantages of the same shape."""
    advantages = []
    running = torch.zeros_like(bootstrap)
    following = bootstrap
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + gamma * following - values[t]
        running = delta + gamma * lam * running
        advantages.append(running)
        following = values[t]
    return torch.stack(advantages[::-1])


class RunningScale:
    """Exponential mean and variance; `update` first, then `normalise`."""

    def __init__(self, rate=0.05):
        self.rate = rate
        self.mean = torch.zeros(())
        self.var = torch.ones(())

    def update(self, x):
        diff = x.mean() - self.mean
        self.mean = self.mean + self.rate * diff  # <- culprit
        self.var = (1 - self.rate) * (self.var + self.rate * diff ** 2) + self.rate * x.var()  # <- culprit

    def normalise(self, x):
        return (x - self.mean) / (self.var.sqrt() + 1e-5)
