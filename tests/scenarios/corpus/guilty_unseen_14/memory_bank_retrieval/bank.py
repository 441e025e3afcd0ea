import torch
import torch.nn.functional as F


class KeyRing:
    def __init__(self, slots, code):
        self.keys = F.normalize(torch.randn(slots, code), dim=-1)
        self.cursor = 0
        self.filled = 0

    def __len__(self):
        return len(self.keys)

    @property
    def full(self):
        return self.filled >= len(self.keys)

    @torch.no_grad()
    def push(self, codes):
        where = (self.cursor + torch.arange(len(codes))) % len(self.keys)
        self.keys[where] = codes  # <- culprit
        self.cursor = int(self.cursor + len(codes)) % len(self.keys)
        self.filled = min(self.filled + len(codes), len(self.keys))

    def similarity(self, queries):
        return queries @ self.keys.t()  # <- culprit
