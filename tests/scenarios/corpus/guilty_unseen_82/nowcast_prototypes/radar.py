import torch


class RadarTiles:
    """Gaussian rain cells carried by one of a few wind regimes."""

    def __init__(self, grid, history):
        self.grid, self.history = grid, history
        ax = torch.arange(grid).float()
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing="ij")
        self.winds = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-0.8, 0.6], [0.3, -1.0]])

    def frame(self, cy, cx, amp):
        d = (self.yy - cy[:, None, None]) ** 2 + (self.xx - cx[:, None, None]) ** 2
        return amp[:, None, None] * torch.exp(-d / 5.0)

    def draw(self, n):
        w = self.winds[torch.randint(0, len(self.winds), (n,))]
        cy, cx = (2 + (self.grid - 4) * torch.rand(2, n)).unbind(0)
        amp, growth = 0.5 + torch.rand(n), 1 + 0.1 * torch.randn(n)
        seq = [self.frame(cy + k * w[:, 0], cx + k * w[:, 1], amp * growth ** k)
               for k in range(self.history + 1)]
        seq = torch.stack(seq, 1) + 0.02 * torch.randn(n, self.history + 1, self.grid, self.grid)
        return seq[:, :-1], seq[:, -1:]
