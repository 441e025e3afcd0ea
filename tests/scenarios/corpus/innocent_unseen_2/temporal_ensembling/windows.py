import torch


class FrameWindow:
    def __init__(self, k):
        self.k = k
        self.items = []

    def push(self, z):
        self.items.append(z)
        if len(self.items) > self.k:
            self.items = self.items[-self.k:]

    def smoothness(self):
        z = torch.stack(self.items)
        return (z[1:] - z[:-1]).pow(2).mean()

    def clear(self):
        self.items = []
