# gradwatch-corpus: kind=graph-chain
# holder: self.state | rig.state
# first-bad: 1
# notice: 5
"""System identification: stiffness and damping of a chain of masses from a recorded trajectory."""
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2)

N_MASS = 5


class State(NamedTuple):
    pos: torch.Tensor
    vel: torch.Tensor


class SpringChain(nn.Module):
    def __init__(self, log_k, log_c, dt=0.02):
        super().__init__()
        self.log_k = nn.Parameter(torch.full((N_MASS,), log_k))
        self.log_c = nn.Parameter(torch.full((N_MASS,), log_c))
        self.dt = dt

    def acceleration(self, state, drive):
        left = torch.cat([torch.zeros(1), state.pos[:-1]])
        right = torch.cat([state.pos[1:], torch.zeros(1)])
        k, c = self.log_k.exp(), self.log_c.exp()
        return k * (left - 2 * state.pos + right) - c * state.vel + drive

    def forward(self, state, drive):
        vel = state.vel + self.dt * self.acceleration(state, drive)
        return State(state.pos + self.dt * vel, vel)


class Rig:
    """Runs a model alongside the recording, window by window."""

    def __init__(self, model, start):
        self.model = model
        self.state = start

    def advance(self, drives):
        out = []
        s = self.state
        for d in drives:
            s = self.model(s, d)
            out.append(s.pos)
        self.state = s  # <- culprit
        return torch.stack(out)


def record(steps):
    truth = SpringChain(2.0, -1.0)
    with torch.no_grad():
        truth.log_k += 0.3 * torch.randn(N_MASS)
    drives = torch.zeros(steps, N_MASS)
    drives[:, 0] = torch.sin(torch.arange(steps) * 0.05) * 2
    s = State(torch.zeros(N_MASS), torch.zeros(N_MASS))
    trace = []
    with torch.no_grad():
        for d in drives:
            s = truth(s, d)
            trace.append(s.pos)
    return drives, torch.stack(trace), truth


def identify(window=4, n_windows=70):
    drives, trace, truth = record(window * n_windows)
    model = SpringChain(1.2, -0.5)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    rig = Rig(model, State(torch.zeros(N_MASS), torch.zeros(N_MASS)))
    for w in range(n_windows):
        sl = slice(w * window, (w + 1) * window)
        loss = (rig.advance(drives[sl]) - trace[sl]).square().mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if w % 14 == 0:
            err = (model.log_k - truth.log_k).abs().mean().item()
            print(f"window {w:3d}  mse {loss.item():.3e}  |dk| {err:.3f}")


if __name__ == "__main__":
    identify()
