# gradwatch-corpus: kind=graph-chain
# holder: self.potential | cells.potential | decoder.cells.potential | self.cells.potential
# first-bad: 1
"""Online decoding of a wrist angle from multi-electrode spike counts with leaky integrate-and-fire cells.

The recording is one continuous stream, so the cells go on where the last chunk ended.
"""
import asyncio
import math

import torch
from torch import nn

torch.manual_seed(77)
CHANNELS, CELLS, TICKS, PARALLEL = 24, 40, 3, 6


class Fire(torch.autograd.Function):
    @staticmethod
    def forward(ctx, excess):
        ctx.save_for_backward(excess)
        return (excess > 0).to(excess.dtype)

    @staticmethod
    def backward(ctx, grad):
        (excess,) = ctx.saved_tensors
        return grad / (1 + (math.pi * excess) ** 2)


class LeakyCells(nn.Module):
    def __init__(self, fan_in, count, beta=0.8, threshold=1.0):
        super().__init__()
        self.synapse = nn.Linear(fan_in, count)
        self.beta, self.threshold = beta, threshold
        self.potential = None

    def wake(self, rows):
        self.potential = torch.zeros(rows, self.synapse.out_features)

    def forward(self, counts):
        drive = self.synapse(counts)
        self.potential = self.beta * self.potential + drive  # <- culprit
        spike = Fire.apply(self.potential - self.threshold)
        self.potential = self.potential - self.threshold * spike.detach()  # <- culprit
        return spike


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = LeakyCells(CHANNELS, CELLS)
        sign = torch.where(torch.rand(CELLS, 1) < 0.5, -1.0, 1.0)
        self.register_buffer("readout", sign / math.sqrt(CELLS))

    def forward(self, chunk):
        fired = [self.cells(tick) for tick in chunk]
        return torch.stack(fired).mean(0) @ self.readout


async def recording(chunks):
    tuning = torch.randn(CHANNELS)
    phase = torch.rand(PARALLEL, 1) * 6.28
    for c in range(chunks):
        await asyncio.sleep(0)
        frames = []
        for t in range(TICKS):
            angle = torch.sin(phase + 0.07 * (c * TICKS + t))
            frames.append(torch.poisson(torch.exp(0.6 * angle * tuning - 0.5)))
        yield torch.stack(frames), angle


async def session():
    decoder = Decoder()
    decoder.cells.wake(PARALLEL)
    opt = torch.optim.RMSprop(decoder.parameters(), lr=2e-3)
    smooth = None
    c = 0
    async for chunk, angle in recording(170):
        estimate = decoder(chunk)
        err = nn.functional.mse_loss(estimate, angle)
        opt.zero_grad(set_to_none=True)
        err.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
        opt.step()
        smooth = err.item() if smooth is None else 0.95 * smooth + 0.05 * err.item()
        if c % 34 == 0:
            print(f"chunk {c:3d}: error {smooth:.4f}, mean potential {decoder.cells.potential.mean().item():+.3f}")
        c += 1
    print("final", round(smooth, 4))


asyncio.run(session())
