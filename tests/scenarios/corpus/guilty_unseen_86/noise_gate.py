# gradwatch-corpus: kind=inplace-modified
# holder: gate | g | self.open(feat)
# first-bad: 60
# notice: 0
"""Learned noise gate for speech-like bursts, trained on frame energies."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(77)

FRAME, N_FRAMES = 32, 24


class Schedule:
    """Piecewise values keyed by the step at which they start."""

    def __init__(self, **points):
        self.points = sorted((int(k[1:]), v) for k, v in points.items())

    def at(self, step):
        value = self.points[0][1]
        for start, v in self.points:
            if step >= start:
                value = v
        return value


def hold_open(g, floor):
    """Never close below the floor, so that room tone stays audible."""
    if floor > 0:
        g.clamp_(min=floor)  # <- culprit
    return g


class Gate(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.context = nn.GRU(2, width, batch_first=True)
        self.open = nn.Sequential(nn.Linear(width, 1), nn.Sigmoid())
        self.floor = 0.0

    def features(self, frames):
        rms = frames.pow(2).mean(-1, keepdim=True).add(1e-6).log()
        zc = (frames[..., 1:] * frames[..., :-1] < 0).float().mean(-1, keepdim=True)
        return torch.cat([rms / 5, zc], -1)

    def forward(self, wave):
        frames = wave.unflatten(-1, (N_FRAMES, FRAME))
        feat, _ = self.context(self.features(frames))
        gate = self.open(feat)
        gate = hold_open(gate, self.floor)  # <- culprit
        return (frames * gate).flatten(-2), gate


def bursts(n):
    active = (torch.rand(n, N_FRAMES) < 0.5).float()
    active = active.repeat_interleave(FRAME, 1)
    t = torch.arange(N_FRAMES * FRAME) / 8000
    pitch = torch.empty(n, 1).uniform_(90, 300)
    voice = torch.sin(6.2832 * pitch * t) + 0.5 * torch.sin(12.566 * pitch * t)
    clean = active * voice
    return clean + 0.25 * torch.randn_like(clean), clean


def si_error(est, ref):
    return (est - ref).pow(2).mean() / ref.pow(2).mean()


def train(steps=200):
    net = Gate()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    floor = Schedule(s0=0.0, s60=0.05, s120=0.1)
    for step in range(steps):
        net.floor = floor.at(step)
        noisy, clean = bursts(6)
        est, gate = net(noisy)
        loss = si_error(est, clean)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        if step % 20 == 0:
            print(f"{step:3d} err {loss.item():.4f} open {gate.mean().item():.2f}", flush=True)
    return net


if __name__ == "__main__":
    train()
