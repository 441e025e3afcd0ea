import torch
from torch import nn


class FrozenBackbone(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, 12, 3, stride=2), nn.ReLU(),
            nn.Conv2d(12, dim, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.requires_grad_(False).eval()

    def forward(self, image):
        return self.net(image)


def fundus_batches(n, n_grades, size=24):
    for _ in range(n):
        grade = torch.randint(0, n_grades, (n_grades * 4,))
        image = torch.randn(len(grade), 3, size, size) * 0.3
        image[:, 0] += grade.float().view(-1, 1, 1) * 0.4
        yield image, grade, grade.float() / n_grades + 0.05 * torch.randn(len(grade))
