import torch


class LastSeen:
    """speaker -> newest embedding (as it came from the encoder)."""

    def __init__(self):
        self.table = {}
        self._moved = 0.0

    def __len__(self):
        return len(self.table)

    def put(self, who, emb):
        for k, row in zip(who.tolist(), emb):
            old = self.table.get(k)
            if old is not None:
                self._moved = 0.9 * self._moved + 0.1 * (row - old).norm().item()
            self.table[k] = row

    def matrix(self):
        return torch.stack([self.table[k].detach() for k in sorted(self.table)])

    def drift(self):
        return self._moved
