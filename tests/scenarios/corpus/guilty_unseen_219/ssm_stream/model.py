import torch
import torch.nn as nn


class DiagonalSSM(nn.Module):
    """Streaming diagonal state-space layer with fixed (S4D-like) decay rates."""

    def __init__(self, d_in, d_state, dt=0.1):
        super().__init__()
        rates = torch.linspace(0.5, 8.0, d_state)
        self.register_buffer("decay", torch.exp(-dt * rates))
        self.B = nn.Linear(d_in, d_state, bias=False)
        self.C = nn.Linear(d_state, d_in)
        self.D = nn.Parameter(torch.zeros(d_in))

    def scan(self, x, state):
        drive = self.B(x)
        outs = []
        for t in range(x.shape[1]):
            state = state * self.decay + drive[:, t]
            outs.append(state)
        return torch.stack(outs, dim=1), state


class StreamForecaster(nn.Module):
    def __init__(self, d_in=6, d_state=32):
        super().__init__()
        self.ssm = DiagonalSSM(d_in, d_state)
        self.out = nn.Sequential(nn.SiLU(), nn.Linear(d_in, 32), nn.SiLU(), nn.Linear(32, d_in))

    def initial_state(self, batch):
        return torch.zeros(batch, self.ssm.decay.numel())

    def forward(self, x, state):
        hs, new_state = self.ssm.scan(x, state)
        y = self.ssm.C(hs) + x * self.ssm.D
        return self.out(y), new_state
