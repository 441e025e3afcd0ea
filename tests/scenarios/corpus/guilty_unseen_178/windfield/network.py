from torch import nn

from bias import RelativeBias


class GridForecaster(nn.Module):
    def __init__(self, grid, dim):
        super().__init__()
        self.grid = grid
        self.scale = dim ** -0.5
        self.embed = nn.Linear(2, dim)
        self.qk = nn.Linear(dim, 2 * dim)
        self.bias = RelativeBias()
        self.out = nn.Linear(dim, 2)

    def forward(self, x):
        h = self.embed(x)
        q, k = self.qk(h).chunk(2, -1)
        scores = self.bias(q @ k.transpose(1, 2) * self.scale, self.grid)
        return self.out(scores.softmax(-1) @ h)
