import numpy as np
import torch


class SamplePool:
    def __init__(self, slots):
        self.slots = slots
        self.items = []
        self.rng = np.random.default_rng(7)

    def __len__(self):
        return len(self.items)

    def exchange(self, batch):
        rows = batch.detach().cpu().numpy()
        out = np.empty_like(rows)
        for i, row in enumerate(rows):
            if len(self.items) < self.slots:
                self.items.append(row.copy())
                out[i] = row
            elif self.rng.random() < 0.5:
                j = self.rng.integers(self.slots)
                out[i], self.items[j] = self.items[j], row.copy()
            else:
                out[i] = row
        return torch.from_numpy(out)
