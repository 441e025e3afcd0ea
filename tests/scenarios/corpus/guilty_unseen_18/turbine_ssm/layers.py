"""Real diagonal state-space layers (S4D-like), evaluated in closed form over a window."""
import torch
from torch import nn


class DiagonalSSM(nn.Module):
    """h[t] = a h[t-1] + B u[t],  y[t] = C h[t] + D u[t], with 'order' modes for each channel."""

    def __init__(self, width, order):
        super().__init__()
        self.log_rate = nn.Parameter(torch.linspace(-6.0, -2.0, order).repeat(width, 1))
        self.B = nn.Parameter(torch.randn(width, order) * order**-0.5)
        self.C = nn.Parameter(torch.randn(width, order) * order**-0.5)
        self.D = nn.Parameter(torch.ones(width))

    def forward(self, u, h0):
        # u: (batch, time, width)   h0: (batch, width, order)
        length = u.shape[1]
        rate = torch.exp(self.log_rate)
        steps = torch.arange(length + 1, dtype=u.dtype)
        decay = torch.exp(-rate[..., None] * steps)                   # (width, order, time + 1)
        kernel = torch.einsum("wn,wnt->wt", self.B * self.C, decay[..., :length])
        lag = steps[:length, None] - steps[None, :length]
        toeplitz = kernel[:, lag.clamp(min=0).long()] * (lag >= 0)    # (width, time, time)
        forced = torch.einsum("wts,bsw->btw", toeplitz, u)
        free = torch.einsum("bwn,wn,wnt->btw", h0, self.C, decay[..., 1:])
        backwards = decay[..., :length].flip(-1)
        drive = torch.bmm(backwards, u.permute(2, 1, 0)).permute(2, 0, 1)
        h = torch.addcmul(decay[..., -1] * h0, self.B, drive)
        return forced + free + self.D * u, h


class Block(nn.Module):
    def __init__(self, width, order):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.ssm = DiagonalSSM(width, order)
        self.mix = nn.Linear(width, 2 * width)

    def forward(self, x, state):
        y, state = self.ssm(x, state)
        return y + nn.functional.glu(self.mix(self.norm(y)), dim=-1), state


class Forecaster(nn.Module):
    def __init__(self, n_signals, width, order, depth):
        super().__init__()
        self.width, self.order = width, order
        self.inp = nn.Linear(n_signals, width)
        self.blocks = nn.ModuleList(Block(width, order) for _ in range(depth))
        self.out = nn.Linear(width, 1)

    def initial_states(self, batch):
        return [torch.zeros(batch, self.width, self.order) for _ in self.blocks]

    def forward(self, signals, states):
        x, new_states = self.inp(signals), []
        for block, state in zip(self.blocks, states):
            x, state = block(x, state)
            new_states.append(state)
        return self.out(x).squeeze(-1), new_states
