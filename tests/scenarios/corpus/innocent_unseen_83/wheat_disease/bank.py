import torch


class MemoryBank:
    """fixed number of slots, filled round-robin"""

    def __init__(self, slots):
        self.slots = slots
        self.items = []
        self.cursor = 0

    def push(self, feats, labels):
        for f, y in zip(feats.detach(), labels):
            if len(self.items) < self.slots:
                self.items.append((f, y))
            else:
                self.items[self.cursor] = (f, y)
            self.cursor = (self.cursor + 1) % self.slots

    def tensors(self):
        if not self.items:
            return None, None
        return torch.stack([f for f, _ in self.items]), torch.stack([y for _, y in self.items])
