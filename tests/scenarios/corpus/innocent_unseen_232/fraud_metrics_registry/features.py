from collections import OrderedDict

import torch


class AccountFeatureStore:
    def __init__(self, dim, capacity):
        self.dim = dim
        self.capacity = capacity
        self.evicted = 0
        self._rows = OrderedDict()

    def __len__(self):
        return len(self._rows)

    def read(self, accounts):
        blank = torch.zeros(self.dim)
        return torch.stack([self._rows.get(a, blank) for a in accounts])

    def write(self, accounts, states):
        snapshot = states.detach().clone()
        for account, row in zip(accounts, snapshot):
            self._rows[account] = row
            self._rows.move_to_end(account)
        while len(self._rows) > self.capacity:
            self._rows.popitem(last=False)
            self.evicted += 1
