import torch
from torch.nn import functional as F


class CentreBank:
    """Exponential average of the class means in embedding space."""

    def __init__(self, classes, dim, momentum=0.9, temperature=0.5):
        self.classes = classes
        self.momentum = momentum
        self.temperature = temperature
        self.centres = torch.zeros(classes, dim)
        self.seen = 0

    def class_means(self, z, y):
        onehot = F.one_hot(y, self.classes).to(z.dtype)
        count = onehot.sum(0).clamp(min=1).unsqueeze(1)
        return onehot.t() @ z / count

    def update(self, z, y):
        means = self.class_means(z, y)
        keep = self.momentum if self.seen else 0.0
        self.centres = keep * self.centres + (1 - keep) * means  # <- culprit
        self.seen += 1

    def logits(self, z):
        gap = z.unsqueeze(1) - self.centres.unsqueeze(0)
        return -gap.pow(2).sum(-1) / self.temperature

    def spread(self):
        with torch.no_grad():
            return torch.pdist(self.centres).mean().item()
