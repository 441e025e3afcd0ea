import torch


class Lagrangian:
    def __init__(self, n, rho, rho_max, growth):
        self.lam = torch.zeros(n)
        self.rho, self.rho_max, self.growth = rho, rho_max, growth

    def term(self, c):
        return (self.lam.detach() * c).sum() + 0.5 * self.rho * c.pow(2).sum()

    def ascend(self, c):
        self.lam = self.lam + self.rho * c  # <- culprit
        self.rho = min(self.rho_max, self.rho * self.growth)
