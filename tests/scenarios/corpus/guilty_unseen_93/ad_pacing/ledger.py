import torch


class Ledger:
    """How much each campaign has spent, against an even pace."""

    def __init__(self, n, daily_budget, rounds):
        self.spent = torch.zeros(n)
        self.budget = daily_budget
        self.rounds = rounds

    def charge(self, amount):
        self.spent = self.spent + amount  # <- culprit

    def deviation(self, t):
        even = self.budget * (t + 1) / self.rounds
        return ((self.spent - even) / self.budget).pow(2).mean()
