import torch


class FakePool:
    """Half of each batch is swapped for fakes from earlier on (Shrivastava et al.)."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.items = []

    def mix(self, fake):
        out = []
        for row in fake:
            if len(self.items) < self.capacity:
                self.items.append(row.clone())
                out.append(row)
            elif torch.rand(()) < 0.5:
                j = int(torch.randint(self.capacity, ()))
                out.append(self.items[j])
                self.items[j] = row.clone()
            else:
                out.append(row)
        return torch.stack(out)
