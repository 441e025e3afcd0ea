import torch.nn.functional as F
from torch import nn


class MultiTask(nn.Module):
    def __init__(self, width=8, dim=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, width, 3, stride=2), nn.ReLU(), nn.Flatten())
        self.shared = nn.Linear(width * 16, dim)
        self.size_head, self.pos_head = nn.Linear(dim, 2), nn.Linear(dim, 2)

    @property
    def shared_weight(self):
        return self.shared.weight

    def losses(self, img, size, pos):
        h = self.shared(self.trunk(img)).relu()
        return [F.cross_entropy(self.size_head(h), size), F.mse_loss(self.pos_head(h), pos)]
