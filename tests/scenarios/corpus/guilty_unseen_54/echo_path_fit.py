# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Identify an echo path sample by sample with a ring-buffer FIR filter."""
import torch
from torch import nn


class DelayLine:
    def __init__(self, batch, length):
        self.buf = torch.zeros(batch, length)
        self.head = 0
        self.length = length

    def push(self, sample):
        self.buf[:, self.head] = sample  # <- culprit
        self.head = (self.head + 1) % self.length

    def dot(self, taps):
        # newest sample meets tap 0
        order = (self.head - 1 - torch.arange(self.length)) % self.length
        aligned = torch.zeros_like(taps).index_copy(0, order, taps)
        return self.buf @ aligned


class EchoPath(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.taps = nn.Parameter(0.01 * torch.randn(length))
        self.gain = nn.Parameter(torch.ones(()))

    def forward(self, x):
        line = DelayLine(x.shape[0], len(self.taps))
        ys = []
        for n in range(x.shape[1]):
            line.push(x[:, n])
            ys.append(self.gain * line.dot(self.taps))
        return torch.stack(ys, 1)


def reference_echo(x, taps):
    kernel = taps.flip(0).view(1, 1, -1)
    padded = nn.functional.pad(x.unsqueeze(1), (len(taps) - 1, 0))
    return nn.functional.conv1d(padded, kernel).squeeze(1)


def excitation(batch, n):
    e = torch.randn(batch, n)
    out = [e[:, 0]]
    for i in range(1, n):
        out.append(0.5 * out[-1] + e[:, i])
    return torch.stack(out, 1)


def erle_db(target, err):
    return 10 * torch.log10(target.pow(2).mean() / err.pow(2).mean().clamp(min=1e-12)).item()


def main(steps=80, length=12, frame=32):
    torch.manual_seed(14)
    true = torch.exp(-0.4 * torch.arange(length)) * torch.randn(length)
    model = EchoPath(length)
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    for k in range(steps):
        far = excitation(8, frame)
        mic = reference_echo(far, true) + 0.01 * torch.randn(8, frame)
        err = mic - model(far)
        cost = err.pow(2).mean() + 1e-4 * model.taps.abs().sum()
        opt.zero_grad()
        cost.backward()
        opt.step()
        if k % 10 == 0:
            print(f"frame {k}: cost {cost.item():.4f} erle {erle_db(mic, err.detach()):.1f} dB")
    print("taps", [round(t, 2) for t in (model.gain * model.taps).tolist()])


if __name__ == "__main__":
    main()
