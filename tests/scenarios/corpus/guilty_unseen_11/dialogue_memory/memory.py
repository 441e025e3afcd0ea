"""A short memory of utterance states with dot-product attention over it."""
import torch


class StateMemory:
    def __init__(self, lanes, width, window):
        self.window = window
        self.bank = torch.zeros(lanes, 1, width)

    @property
    def filled(self):
        return self.bank.shape[1]

    def read(self, query):
        """query: (lanes, width) -> weighted sum of the states in the bank."""
        scores = torch.bmm(self.bank, query.unsqueeze(2))
        weight = torch.softmax(scores, dim=1)
        return (weight * self.bank).sum(dim=1)

    def push(self, state):
        self.bank = torch.cat([self.bank, state.unsqueeze(1)], dim=1)  # <- culprit
        if self.bank.shape[1] > self.window:
            self.bank = self.bank[:, 1:]  # <- culprit
