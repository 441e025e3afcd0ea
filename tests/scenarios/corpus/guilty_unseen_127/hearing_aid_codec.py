# gradwatch-corpus: kind=graph-held
# holder: Quantise.uses | uses | ctx.signal | Quantise.uses[-1].signal
# first-bad: 1
# notice: 8
"""Low-bit autoencoder of hearing-aid frames, straight-through rounding."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)


class Quantise(torch.autograd.Function):
    uses = []

    @staticmethod
    def forward(ctx, signal, steps):
        ctx.signal = signal  # <- culprit
        ctx.steps = steps
        Quantise.uses.append(ctx)  # <- culprit
        return (signal * steps).round() / steps

    @staticmethod
    def backward(ctx, grad):
        inside = (ctx.signal.abs() <= 1).to(grad.dtype)
        return grad * inside, None


def occupancy():
    """Share of frames whose code left the representable range, over the latest uses."""
    last = Quantise.uses[-20:]
    return sum((u.signal.abs() > 1).float().mean().item() for u in last) / len(last)


class Codec(nn.Module):
    def __init__(self, frame=24, code=5, bits=3):
        super().__init__()
        self.enc, self.dec = nn.Linear(frame, code), nn.Linear(code, frame)
        self.steps = 2 ** bits

    def forward(self, frames):
        return self.dec(Quantise.apply(self.enc(frames), self.steps))


def frames(n, length=24):
    t = torch.arange(length) / length
    f = torch.rand(n, 1) * 6 + 1
    return torch.sin(2 * torch.pi * f * t) * torch.rand(n, 1)


codec = Codec()
adam = torch.optim.Adam(codec.parameters(), lr=4e-3)
for k in range(420):
    x = frames(20)
    distortion = nn.functional.mse_loss(codec(x), x)
    adam.zero_grad()
    distortion.backward()
    adam.step()
    if (k + 1) % 105 == 0:
        print(f"{k + 1:4d} distortion={distortion.item():.4f} clipped={occupancy():.3f}")
