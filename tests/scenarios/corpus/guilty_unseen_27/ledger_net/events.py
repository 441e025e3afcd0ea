from dataclasses import dataclass

import torch


@dataclass
class Window:
    index: int
    source: list
    target: list
    features: torch.Tensor
    label: torch.Tensor


class TransferStream:
    n_features = 6

    def __init__(self, accounts, per_window, windows):
        self.accounts, self.per_window, self.windows = accounts, per_window, windows
        self.risk = torch.rand(accounts)

    def __iter__(self):
        for index in range(self.windows):
            source = torch.randint(self.accounts, (self.per_window,))
            target = torch.randint(self.accounts, (self.per_window,))
            features = torch.randn(self.per_window, self.n_features)
            features[:, 0] += 2 * self.risk[source]
            features[:, 1] += 2 * self.risk[target]
            label = ((self.risk[source] + self.risk[target]) > 1.0).float()
            yield Window(index, source.tolist(), target.tolist(), features, label)
