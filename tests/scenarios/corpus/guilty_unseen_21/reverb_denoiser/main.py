# gradwatch-corpus: kind=memory-climb
# holder: self._responses | rooms._responses | self.rooms._responses | self._responses[key] | augment.rooms._responses | stream.rooms._responses
# first-bad: 1
"""Dereverberation front end of the meeting transcriber. Speech is synthesised (harmonics with an
envelope) and put into simulated rooms on the fly."""
import torch

from framework import Callback, Fit
from model import MaskNet
from rooms import RoomBank
from speech import ReverbStream


class PrintEvery(Callback):
    def __init__(self, n):
        self.n = n
        self.smooth = None

    def step_end(self, fit, loss):
        self.smooth = loss if self.smooth is None else 0.95 * self.smooth + 0.05 * loss
        if fit.step % self.n == 0:
            print(f"step {fit.step:4d}: si-loss {self.smooth:.4f}")


class GradientGuard(Callback):
    def __init__(self, limit):
        self.limit = limit
        self.clipped = 0

    def before_update(self, fit):
        norm = torch.nn.utils.clip_grad_norm_(fit.model.parameters(), self.limit)
        self.clipped += int(norm.item() > self.limit)

    def run_end(self, fit):
        print(f"clipped {self.clipped} of {fit.steps} updates")


def main(steps=220):
    torch.manual_seed(19)
    rooms = RoomBank(length=2560, seed=3)
    stream = ReverbStream(rooms, batch=8, samples=4000, seed=9)
    model = MaskNet(n_fft=256, hop=128, width=48)
    fit = Fit(model, torch.optim.Adam(model.parameters(), lr=1e-3), steps, [GradientGuard(5.0), PrintEvery(44)])
    fit.run(stream)


if __name__ == "__main__":
    main()
