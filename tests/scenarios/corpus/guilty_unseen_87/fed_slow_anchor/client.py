import torch
import torch.nn.functional as F


class Client:
    def __init__(self, cid, x, y, batch):
        self.cid, self.x, self.y, self.batch = cid, x, y, batch

    def batches(self, steps):
        for _ in range(steps):
            idx = torch.randint(0, len(self.x), (self.batch,))
            yield self.x[idx], self.y[idx]

    @torch.no_grad()
    def accuracy(self, model):
        return (model(self.x).argmax(1) == self.y).float().mean().item()


class ProximalObjective:
    """task loss + mu/2 * ||w - anchor||^2, FedProx style."""

    def __init__(self, anchor, mu=0.1):
        self.anchor = anchor
        self.mu = mu

    def __call__(self, model, x, y):
        task = F.cross_entropy(model(x), y)
        pull = sum(((p - self.anchor[k]) ** 2).sum() for k, p in model.named_parameters())
        return task + 0.5 * self.mu * pull
