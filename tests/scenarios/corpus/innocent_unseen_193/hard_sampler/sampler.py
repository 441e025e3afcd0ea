import torch


class LossSampler:
    def __init__(self, n, batch, momentum=0.7):
        self.losses, self.batch, self.momentum = torch.ones(n), batch, momentum
        self.visits = {}

    def next(self):
        return torch.multinomial(self.losses + 1e-2, self.batch)

    def record(self, idx, losses):
        self.losses[idx] = self.momentum * self.losses[idx] + (1 - self.momentum) * losses.detach()
        for i in idx.tolist():
            self.visits[i] = self.visits.get(i, 0) + 1
