import torch


class KLController:
    """Proportional control of the KL weight (Ziegler et al. 2019)."""

    def __init__(self, init=0.1, target=0.05, horizon=16):
        self.coef, self.target, self.horizon = torch.tensor(init), target, horizon
        self.window = []

    def observe(self, kl):
        self.window.append(kl)  # <- culprit
        if len(self.window) == self.horizon:
            mean = torch.stack(self.window).mean()
            self.window.clear()
            error = torch.tanh(mean / self.target - 1)
            self.coef = self.coef * (1 + 0.2 * error)  # <- culprit
