import torch

GRID = 48


def render(seed, count):
    """Discs of random place, radius and density on a GRID x GRID raster."""
    gen = torch.Generator().manual_seed(seed)
    axis = torch.linspace(-1, 1, GRID)
    image = torch.zeros(count, GRID, GRID)
    for _ in range(3):
        centre = torch.rand(count, 2, generator=gen) - 0.5
        radius = 0.1 + 0.2 * torch.rand(count, 1, 1, generator=gen)
        dx = axis[None, None, :] - centre[:, :1, None]
        dy = axis[None, :, None] - centre[:, 1:, None]
        image += torch.sigmoid(30 * (radius - torch.sqrt(dx ** 2 + dy ** 2)))
    return image
