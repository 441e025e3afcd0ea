import torch
from torch import nn


class EchoReservoir(nn.Module):
    """Echo state layer: fixed recurrent matrix, learnable input weights."""

    def __init__(self, n_in, units, radius=0.9, alpha=0.5, density=0.2):
        super().__init__()
        w = torch.randn(units, units) * (torch.rand(units, units) < density)
        w = w * radius / torch.linalg.eigvals(w).abs().max()
        self.register_buffer("w_rec", w)
        self.w_in = nn.Parameter(0.5 * torch.randn(units, n_in))
        self.bias = nn.Parameter(torch.zeros(units))
        self.alpha = alpha
        self.state = None

    def reset(self):
        self.state = None

    def _initial(self, n):
        return self.w_rec.new_zeros(n, self.w_rec.shape[0])

    def cell(self, h, drive):
        new = torch.tanh(h @ self.w_rec.T + drive)
        return (1 - self.alpha) * h + self.alpha * new

    def forward(self, u):
        # u: (time, series, n_in)
        h = self.state if self.state is not None else self._initial(u.shape[1])  # <- culprit
        drive = u @ self.w_in.T + self.bias
        out = []
        for t in range(u.shape[0]):
            h = self.cell(h, drive[t])
            out.append(h)
        self.state = h  # <- culprit
        return torch.stack(out)
