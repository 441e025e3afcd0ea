import torch
from torch import nn


class Reservoir(nn.Module):
    """x_{t+1} = (1-a) x_t + a tanh(W x_t + U u_t), W fixed, U trained."""

    def __init__(self, n_in, n_state, leak=0.4, radius=0.9):
        super().__init__()
        w = torch.randn(n_state, n_state)
        w = w * (radius / torch.linalg.eigvals(w).abs().max())
        self.register_buffer("w", w)
        self.inp = nn.Linear(n_in, n_state)
        self.leak = leak
        self._buf = {"s": torch.zeros(n_state)}

    @property
    def state(self):
        return self._buf["s"]

    @state.setter
    def state(self, value):
        self._buf["s"] = value  # <- culprit

    def forward(self, u):
        drive = self.inp(u)
        s = self.state  # <- culprit
        out = []
        for k in range(drive.shape[0]):
            s = (1 - self.leak) * s + self.leak * torch.tanh(s @ self.w + drive[k])
            out.append(s)
        self.state = s  # <- culprit
        return torch.stack(out)


class EchoStateNet(nn.Module):
    def __init__(self, n_mels, n_state):
        super().__init__()
        self.reservoir = Reservoir(n_mels, n_state)
        self.readout = nn.Linear(n_state, 1)

    def forward(self, mel):
        return self.readout(self.reservoir(mel))
