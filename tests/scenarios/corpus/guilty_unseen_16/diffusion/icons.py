import torch


class Icons:
    """Discs and bars in random colours on a dark ground."""

    def __init__(self, size, seed):
        self.gen = torch.Generator().manual_seed(seed)
        ax = torch.linspace(-1, 1, size)
        self.y, self.x = torch.meshgrid(ax, ax, indexing="ij")

    def draw(self, n):
        centre = torch.rand(n, 2, 1, 1, generator=self.gen) - 0.5
        radius = 0.2 + 0.4 * torch.rand(n, 1, 1, generator=self.gen)
        dy, dx = self.y - centre[:, 0], self.x - centre[:, 1]
        disc = ((dy ** 2 + dx ** 2) < radius ** 2).float()
        bar = (dy.abs() < radius / 3).float()
        is_disc = (torch.rand(n, 1, 1, generator=self.gen) < 0.5).float()
        shape = is_disc * disc + (1 - is_disc) * bar
        colour = torch.rand(n, 3, 1, 1, generator=self.gen)
        return 2 * shape.unsqueeze(1) * colour - 1
