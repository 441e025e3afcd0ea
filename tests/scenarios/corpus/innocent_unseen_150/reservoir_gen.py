# gradwatch-corpus: kind=none
"""Turbine vibration; a generator yields windows with their running state, cut after every 16 windows."""
import torch
from torch import nn

torch.manual_seed(26)
torch.set_num_threads(1)


class InputMap(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.lin = nn.Linear(n_in, width)
        w = torch.randn(width, width)
        self.register_buffer("reservoir", 0.8 * w / torch.linalg.matrix_norm(w, 2))

    def forward(self, x, state):
        return torch.tanh(self.lin(x) + state @ self.reservoir)


def vibrations(n, batch=6, width=12):
    speed = 0.3 + torch.rand(batch, 1)
    for t in range(n):
        grid = (t * width + torch.arange(width)) * 0.1
        yield torch.sin(grid * speed) + 0.1 * torch.randn(batch, width), speed.squeeze(1)


def windows(mapper, source, cut):
    state = None
    for i, (x, target) in enumerate(source):
        if state is None or i % cut == 0:
            state = torch.zeros(len(x), len(mapper.reservoir)) if state is None else state.detach()
        state = mapper(x, state)
        yield state, target


def main():
    mapper, readout = InputMap(12, 20), nn.Linear(20, 1)
    opt = torch.optim.Adam([*mapper.parameters(), *readout.parameters()], lr=2e-3)
    for epoch in range(4):
        err = 0.0
        for state, target in windows(mapper, vibrations(48), cut=16):
            loss = nn.functional.mse_loss(readout(state).squeeze(1), target)
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
            err += loss.item()
        print(epoch, f"{err / 48:.4f}")


main()
