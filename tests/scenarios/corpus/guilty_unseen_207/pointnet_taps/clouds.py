import torch


class CloudSampler:
    """Spheres, cubes and discs with jitter."""

    def __init__(self, points, seed):
        self.points = points
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self, n):
        labels = torch.randint(3, (n,), generator=self.gen)
        raw = torch.randn(n, self.points, 3, generator=self.gen)
        sphere = raw / raw.norm(dim=-1, keepdim=True)
        cube = raw / raw.abs().amax(dim=-1, keepdim=True)
        disc = sphere * torch.tensor([1.0, 1.0, 0.05])
        shapes = torch.stack([sphere, cube, disc], dim=1)
        clouds = shapes[torch.arange(n), labels]
        return clouds + 0.02 * torch.randn(clouds.shape, generator=self.gen), labels
