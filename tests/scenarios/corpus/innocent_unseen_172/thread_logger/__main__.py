# gradwatch-corpus: kind=none
"""Denoising auto-encoder with an activation penalty taken from taps, and a background thread that
averages the records of every batch."""
import torch
from torch.nn import functional as F

from .capture import recording
from .model import Denoiser
from .sink import Sink


def batches(n, dim=24, size=32):
    g = torch.Generator().manual_seed(6)
    basis = torch.randn(5, dim, generator=g)
    for _ in range(n):
        clean = torch.randn(size, 5, generator=g) @ basis
        yield clean + 0.5 * torch.randn(size, dim, generator=g), clean


def main(steps=900):
    torch.manual_seed(6)
    net = Denoiser()
    opt = torch.optim.RMSprop(net.parameters(), lr=5e-4)
    with Sink() as sink:
        for step, (noisy, clean) in enumerate(batches(steps)):
            with recording() as acts:
                pred = net(noisy)
                sparsity = sum(a.relu().mean() for a in acts.values())
            loss = F.mse_loss(pred, clean) + 0.01 * sparsity
            opt.zero_grad()
            loss.backward()
            opt.step()
            sink.push(loss=loss, sparsity=sparsity, **acts)
            if step % 150 == 0:
                print(step, {k: round(v, 4) for k, v in sink.mean.items()})
    print("records", sink.count)


if __name__ == "__main__":
    main()
