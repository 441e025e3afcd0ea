# gradwatch-corpus: kind=graph-chain
# holder: self.taps | canceller.taps
# first-bad: 1
"""Block-wise adaptive acoustic echo canceller with a learned-domain loss."""
import argparse
import math
from typing import NamedTuple

import torch
import torch.nn.functional as F


class Block(NamedTuple):
    far: torch.Tensor
    mic: torch.Tensor


def synth_room(length, generator):
    decay = torch.exp(-torch.arange(length) / (length / 5.0))
    return decay * torch.randn(length, generator=generator) * 0.3


def stream_blocks(n_blocks, block_len, room, generator):
    order = room.numel()
    tail = torch.zeros(order - 1)
    for i in range(n_blocks):
        t = torch.arange(block_len) / 8000.0
        tone = torch.sin(2 * math.pi * (200 + 3 * i) * t)
        far = torch.randn(block_len, generator=generator) * 0.5 + 0.2 * tone
        padded = torch.cat([tail, far])
        echo = F.conv1d(padded.view(1, 1, -1), room.flip(0).view(1, 1, -1)).view(-1)
        noise = torch.randn(block_len, generator=generator) * 0.01
        yield Block(padded, echo + noise)
        tail = padded[-(order - 1):]


class EchoCanceller:
    def __init__(self, order, step_size, eps=1e-3):
        self.order = order
        self.step_size = step_size
        self.eps = eps
        self.taps = torch.zeros(order, requires_grad=True)

    def residual(self, block):
        kernel = self.taps.flip(0).view(1, 1, -1)
        estimate = F.conv1d(block.far.view(1, 1, -1), kernel).view(-1)
        return block.mic - estimate

    def objective(self, err):
        spectrum = torch.fft.rfft(err)
        tonal = torch.log1p(spectrum.abs().pow(2)).mean()
        return err.pow(2).mean() + 0.01 * tonal

    def adapt(self, block):
        err = self.residual(block)
        cost = self.objective(err)
        (grad,) = torch.autograd.grad(cost, self.taps)
        power = block.far.pow(2).mean() + self.eps
        self.taps = self.taps - self.step_size * grad / power  # <- culprit
        return cost.item(), err.detach()


def erle(block, err):
    ratio = block.mic.pow(2).mean() / err.pow(2).mean().clamp_min(1e-9)
    return 10 * math.log10(ratio.item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--order", type=int, default=256)
    parser.add_argument("--blocks", type=int, default=180)
    parser.add_argument("--block-len", type=int, default=4096)
    parser.add_argument("--mu", type=float, default=0.04)
    args = parser.parse_args()

    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(17)
    room = synth_room(args.order, gen)
    canceller = EchoCanceller(args.order, args.mu)
    for i, block in enumerate(stream_blocks(args.blocks, args.block_len, room, gen)):
        cost, err = canceller.adapt(block)
        if i % 30 == 0:
            print(f"block {i:4d} cost {cost:.5f} erle {erle(block, err):6.2f} dB")
    distance = (canceller.taps.detach() - room).norm() / room.norm()
    print(f"misalignment {distance.item():.4f}")


if __name__ == "__main__":
    main()
