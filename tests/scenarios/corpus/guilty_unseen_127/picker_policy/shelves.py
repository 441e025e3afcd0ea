import torch


class Aisle:
    """A picker walks along bins towards the ordered one; actions: left, pick, right."""

    def __init__(self, bins):
        self.bins = bins
        self.gen = torch.Generator().manual_seed(1)

    def reset(self):
        self.at, self.want = (int(torch.randint(self.bins, (1,), generator=self.gen)) for _ in range(2))
        self.left = 15
        return self.view()

    def view(self):
        return torch.tensor([self.at / self.bins, self.want / self.bins, (self.want - self.at) / self.bins, self.left / 15])

    def step(self, action):
        self.left -= 1
        if action == 1:
            hit = self.at == self.want
            return self.view(), 1.0 if hit else -0.3, hit or self.left <= 0
        self.at = min(max(self.at + action - 1, 0), self.bins - 1)
        return self.view(), -0.02, self.left <= 0
