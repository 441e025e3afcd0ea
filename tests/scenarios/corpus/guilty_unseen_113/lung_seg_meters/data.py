import torch


class SliceSet:
    """Two ellipses on noise; the mask is the inside of the ellipses."""

    def __init__(self, n=256, side=16):
        g = torch.linspace(-1, 1, side)
        yy, xx = torch.meshgrid(g, g, indexing="ij")
        cx = torch.rand(n, 1, 1) * 0.2 + 0.4
        r = torch.rand(n, 1, 1) * 0.1 + 0.25
        left = ((xx + cx) ** 2 + (yy / 2) ** 2) < r ** 2
        right = ((xx - cx) ** 2 + (yy / 2) ** 2) < r ** 2
        self.mask = (left | right).float().unsqueeze(1)
        self.img = self.mask * 0.8 + 0.5 * torch.randn(n, 1, side, side)

    def batches(self, bs):
        order = torch.randperm(len(self.img))
        for s in range(0, len(order) - bs + 1, bs):
            idx = order[s:s + bs]
            yield self.img[idx], self.mask[idx]
