# gradwatch-corpus: kind=graph-chain
# holder: self.belief.mean | self.belief | tuner.belief | tuner.belief.mean | b.mean
# first-bad: 1
"""Fit the noise levels of a diagonal Kalman filter on a long recording."""
import torch

from belief import Belief
from kalman import DiagonalKalman
from recording import Recording


class NoiseTuner:
    def __init__(self, filt, lr):
        self.filt = filt
        self.opt = torch.optim.Adam(filt.parameters(), lr=lr)
        self.belief = Belief.prior(filt.dim)

    def _filter_window(self, ys):
        b, total = self.belief, 0.0
        for y in ys:
            b, nll = self.filt.step(b, y)
            total = total + nll
        return b, total / len(ys)

    def fit_window(self, ys):
        b, nll = self._filter_window(ys)
        self.opt.zero_grad()
        nll.backward(retain_graph=True)
        self.opt.step()
        self.belief = b.cut()  # <- culprit
        return nll.item()


def main():
    torch.manual_seed(21)
    rec = Recording(dim=4, channels=7, length=80 * 4)
    filt = DiagonalKalman(dim=4, channels=7)
    tuner = NoiseTuner(filt, lr=0.03)
    acc = 0.0
    for k, ys in enumerate(rec.windows(4)):
        acc += tuner.fit_window(ys)
        if (k + 1) % 16 == 0:
            q, r = filt.levels()
            print(f"window {k + 1:3d}  nll {acc / 16:.3f}  q {q:.3f}  r {r:.3f}")
            acc = 0.0


if __name__ == "__main__":
    main()
