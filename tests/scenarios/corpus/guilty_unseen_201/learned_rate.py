# gradwatch-corpus: kind=graph-chain
# holder: self.w | learner.w | filt.w
# first-bad: 1
"""Adaptive echo canceller whose step size is itself learned from the prediction error."""
import torch
from torch import nn


class EchoPath:
    def __init__(self, taps, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.h = torch.randn(taps, generator=self.g) * torch.exp(-0.4 * torch.arange(taps))
        self.taps = taps

    def frames(self, n):
        self.h = self.h + 0.01 * torch.randn(self.taps, generator=self.g)
        far = torch.randn(n, self.taps, generator=self.g)
        echo = far @ self.h
        return far, echo + 0.05 * torch.randn(n, generator=self.g)


class LearnedLMS(nn.Module):
    def __init__(self, taps):
        super().__init__()
        self.log_mu = nn.Parameter(torch.full((taps,), -4.0))
        self.w = torch.zeros(taps)

    def error(self, far, mic):
        return mic - far @ self.w

    def adapt(self, far, mic):
        e = self.error(far, mic)
        step = far.t() @ e / len(e)
        self.w = self.w + self.log_mu.exp() * step  # <- culprit
        return e


def erle(mic, e):
    return (10 * torch.log10(mic.pow(2).mean() / e.pow(2).mean())).item()


def main():
    torch.manual_seed(101)
    path = EchoPath(12, 101)
    filt = LearnedLMS(12)
    opt = torch.optim.Adam(filt.parameters(), lr=1e-2)
    scores = []
    for block in range(400):
        far, mic = path.frames(32)
        filt.adapt(far, mic)
        far, mic = path.frames(32)
        e = filt.error(far, mic)
        loss = e.pow(2).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(filt.parameters(), 1.0)
        opt.step()
        scores.append(erle(mic, e.detach()))
        if block % 80 == 79:
            mu = filt.log_mu.detach().exp().mean().item()
            print(f"block {block + 1} mse {loss.item():.4f} erle {sum(scores[-80:]) / 80:.2f} dB mu {mu:.4f}")


if __name__ == "__main__":
    main()
