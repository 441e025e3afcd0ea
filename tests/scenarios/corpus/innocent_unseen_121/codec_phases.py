# gradwatch-corpus: kind=none
"""Scalar-quantised autoencoder for short audio frames, bit depth raised phase by phase."""
import torch

torch.set_num_threads(1)
torch.manual_seed(16)


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, levels):
        return torch.round(z * levels) / levels

    @staticmethod
    def backward(ctx, g):
        return g, None


class Codec(torch.nn.Module):
    def __init__(self, frame=24, code=6):
        super().__init__()
        self.enc = torch.nn.Sequential(torch.nn.Linear(frame, 16), torch.nn.Tanh(), torch.nn.Linear(16, code), torch.nn.Tanh())
        self.dec = torch.nn.Sequential(torch.nn.Linear(code, 16), torch.nn.Tanh(), torch.nn.Linear(16, frame))
        self.levels = 2

    def forward(self, x):
        return self.dec(Round.apply(self.enc(x), self.levels))


def frames(n):
    t = torch.arange(24) / 24
    f = 1 + 3 * torch.rand(n, 1)
    ph = 6.28 * torch.rand(n, 1)
    return torch.sin(6.28 * f * t + ph) + 0.05 * torch.randn(n, 24)


def run_phase(codec, opt, length=24):
    phase_total = 0
    seen = 0
    for tick in range(length):
        x = frames(20)
        loss = (codec(x) - x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if tick % 3 == 0:
            phase_total = phase_total + loss
            seen += 1
    return (phase_total / seen).item()


codec = Codec()
opt = torch.optim.Adam(codec.parameters(), lr=3e-3)
means = []
for phase in range(32):
    codec.levels = 2 + phase // 4
    means.append(run_phase(codec, opt))
print("phase means", " ".join(f"{m:.3f}" for m in means[::4]))
