import torch


class FeatureBank:
    def __init__(self, slots, dim):
        self.slots = slots
        self.parts = [torch.nn.functional.normalize(torch.randn(16, dim), dim=1)]

    @property
    def filled(self):
        return sum(len(p) for p in self.parts)

    def push(self, features):
        self.parts.append(features)
        while self.filled > self.slots:
            self.parts.pop(0)

    def negatives(self):
        return torch.cat(self.parts)
