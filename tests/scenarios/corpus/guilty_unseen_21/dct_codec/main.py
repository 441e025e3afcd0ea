# gradwatch-corpus: kind=graph-chain
# holder: self.fullness | controller.fullness | self.controller.fullness | task.controller.fullness
# first-bad: 1
"""Learned quantisation tables for the thumbnail service: fixed 8x8 DCT, trainable step sizes and
entropy scales, a virtual buffer keeps the stream near its bit budget."""
import torch

from blocks import BlockSource
from codec import CodecTask
from engine import Loop, Plugin


class Console(Plugin):
    def __init__(self, every):
        self.every = every

    def after_step(self, loop):
        if loop.step % self.every == 0:
            s = loop.scalars
            norms = " ".join(f"|g_{k}| {v:.3f}" for k, v in loop.grad_norms.items())
            print(f"{loop.step:4d} mse {s['distortion']:.4f} bits {s['bits']:.3f} buffer {s['buffer']:+.3f} {norms}")


class StepFloor(Plugin):
    """Keeps the smallest quantiser step within what the decoder tables can express."""

    def __init__(self, low):
        self.low = low

    def after_step(self, loop):
        with torch.no_grad():
            loop.task.log_step.clamp_(min=self.low)


def main(steps=205):
    torch.manual_seed(71)
    task = CodecTask(budget=1.6, trade_off=0.08)
    optimizer = torch.optim.Adam(task.parameters(), lr=1e-2)
    loop = Loop(task, optimizer, [StepFloor(low=-5.0), Console(every=55)])
    loop.run(BlockSource(blocks=32, seed=12), steps)
    table = task.log_step.detach().exp().view(8, 8)
    print("first row of the table:", [round(v, 3) for v in table[0].tolist()])


if __name__ == "__main__":
    main()
