"""User states that live longer than a batch."""
import torch


class UserStateStore:
    """One row per user in a table that is allocated once; rows are read and written by index."""

    def __init__(self, n_users, size):
        self.table = torch.zeros(n_users, size)
        self.visits = torch.zeros(n_users, dtype=torch.long)

    def read(self, users):
        return self.table[users]

    def write(self, users, states):
        with torch.no_grad():
            self.table[users] = states
            self.visits[users] += 1

    def coverage(self):
        return (self.visits > 0).float().mean().item()
