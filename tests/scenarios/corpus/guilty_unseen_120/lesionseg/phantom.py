import torch


class Phantoms:
    """Discs in noise, numbered like scans."""

    def __init__(self, side):
        self.side = side
        self.count = 0
        ax = torch.arange(side).float()
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing="ij")

    def draw(self, n):
        c = torch.empty(n, 2, 1, 1).uniform_(4, self.side - 4)
        r = torch.empty(n, 1, 1).uniform_(1.5, 4)
        mask = (((self.yy - c[:, 0]) ** 2 + (self.xx - c[:, 1]) ** 2) < r ** 2).float()
        image = mask * 0.8 + 0.5 * torch.randn(n, self.side, self.side)
        numbers = list(range(self.count, self.count + n))
        self.count += n
        return numbers, image[:, None], mask[:, None]
