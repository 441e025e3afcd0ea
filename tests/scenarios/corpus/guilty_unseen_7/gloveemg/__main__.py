# gradwatch-corpus: kind=second-backward
# holder: memory.cell | carry.cell | self.cell
# first-bad: 97
"""python -m gloveemg : trains the decoder over short recordings first, then over longer ones."""
import argparse
from contextlib import ExitStack

import torch
import torch.nn.functional as F

from .decoder import PostureDecoder, Recordings


class Meter:
    def __init__(self, name, every):
        self.name, self.every, self.n, self.s = name, every, 0, 0.0

    def __enter__(self):
        return self

    def push(self, value):
        self.n += 1
        self.s += value
        if self.n % self.every == 0:
            print(f"{self.name} after {self.n} chunks: {self.s / self.every:.4f}")
            self.s = 0.0

    def __exit__(self, *exc):
        print(f"{self.name}: {self.n} chunks done")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--chunks", type=int, default=400)
    p.add_argument("--lr", type=float, default=4e-3)
    args = p.parse_args()
    torch.manual_seed(3)
    decoder = PostureDecoder()
    opt = torch.optim.Adam(decoder.parameters(), lr=args.lr)
    memory = decoder.start(16)
    with ExitStack() as stack:
        rmse = stack.enter_context(Meter("rmse", 24))
        for _, (first, emg, pose) in zip(range(args.chunks), Recordings()):
            memory = decoder.start(emg.shape[1]) if first else memory.cut()
            guess, memory = decoder(emg, memory)
            err = F.mse_loss(guess, pose)
            opt.zero_grad()
            err.backward()
            torch.nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
            opt.step()
            rmse.push(err.item() ** 0.5)


if __name__ == "__main__":
    main()
