import torch
from torch import nn
import torch.nn.functional as F

from .balance import RunningScale


class SceneNet(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.depth = nn.Conv2d(width, 1, 1)
        self.normal = nn.Conv2d(width, 3, 1)

    def forward(self, image):
        x = self.trunk(image)
        return self.depth(x), F.normalize(self.normal(x), dim=1)


class Planes:
    def __init__(self, gen, size=12):
        self.gen, self.size = gen, size

    def __call__(self, n):
        n_vec = F.normalize(torch.randn(n, 3, 1, 1, generator=self.gen), dim=1)
        axis = torch.linspace(-1, 1, self.size)
        y, x = torch.meshgrid(axis, axis, indexing="ij")
        depth = 2 + n_vec[:, :1] * x + n_vec[:, 1:2] * y
        image = torch.cat([depth, depth * n_vec[:, :1], depth * n_vec[:, 1:2]], dim=1)
        return image + 0.05 * torch.randn(image.shape, generator=self.gen), depth, n_vec.expand(-1, -1, self.size, self.size)


class Experiment:
    def __init__(self, steps, seed=29):
        torch.manual_seed(seed)
        self.steps = steps
        self.net = SceneNet()
        self.planes = Planes(torch.Generator().manual_seed(seed))
        self.scale = RunningScale()
        self.optim = torch.optim.Adam(self.net.parameters(), lr=2e-3)

    def losses(self):
        image, depth, normal = self.planes(6)
        depth_hat, normal_hat = self.net(image)
        return {
            "depth": F.smooth_l1_loss(depth_hat, depth),
            "normal": 1 - (normal_hat * normal).sum(dim=1).mean(),
        }

    def fit(self):
        for step in range(self.steps):
            scaled = self.scale(self.losses())
            total = torch.stack(list(scaled.values())).sum()
            self.optim.zero_grad()
            total.backward()
            self.optim.step()
            if step % 100 == 0:
                print(step, self.scale.state_dict())
