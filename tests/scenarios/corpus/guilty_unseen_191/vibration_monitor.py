# gradwatch-corpus: kind=graph-chain
# holder: self.trace | model.trace | model.front.trace
# first-bad: 1
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LeakyFrontend(nn.Module):
    """Leaky integrator over a learned filterbank; gradients stay within one frame."""

    def __init__(self, window=32, channels=24, leak=0.9):
        super().__init__()
        self.filters = nn.Linear(window, channels)
        self.leak = leak
        self.trace = None

    def forward(self, frame):
        drive = torch.tanh(self.filters(frame))
        if self.trace is None:
            trace = drive
        else:
            self.trace.register_hook(torch.zeros_like)
            trace = self.leak * self.trace + (1 - self.leak) * drive  # <- culprit
        self.trace = trace  # <- culprit
        return trace


class Monitor(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = LeakyFrontend()
        self.wear = nn.Sequential(nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 1))
        self.recon = nn.Linear(24, 32)

    def forward(self, frame):
        z = self.front(frame)
        return self.wear(z).squeeze(-1), self.recon(z)


def bearing_frames(steps, machines=16, window=32):
    gen = torch.Generator().manual_seed(8)
    freq = 0.3 + torch.rand(machines, 1, generator=gen)
    t = torch.arange(window).float()
    for step in range(steps):
        wear = 0.5 + 0.5 * math.sin(step / 60)
        sig = torch.sin(freq * (t + step * window)) * (1 + wear)
        sig = sig + 0.3 * wear * torch.randn(machines, window, generator=gen)
        yield sig, torch.full((machines,), wear)


def main():
    torch.manual_seed(7)
    model = Monitor()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step, (frame, wear) in enumerate(bearing_frames(400)):
        pred, recon = model(frame)
        main_loss = F.mse_loss(pred, wear)
        aux_loss = 0.1 * F.mse_loss(recon, frame)
        opt.zero_grad()
        (main_loss + aux_loss).backward(retain_graph=True)
        opt.step()
        if step % 50 == 0:
            print(f"{step:4d} wear {main_loss.item():.4f} recon {aux_loss.item():.4f}")


if __name__ == "__main__":
    main()
