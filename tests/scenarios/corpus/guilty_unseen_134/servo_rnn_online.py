# gradwatch-corpus: kind=graph-chain
# holder: self.h | ctl.core.h | core.h | identifier.core.h
# first-bad: 1
# notice: 5
"""On-line system identification of a servo by a small recurrent net with hand-written SGD."""
import math

import torch

torch.set_num_threads(1)


class Plant:
    def __init__(self):
        self.theta = self.omega = 0.0

    def tick(self, volt):
        self.omega += 0.1 * (2.0 * volt - 0.8 * self.omega - 0.5 * math.sin(self.theta))
        self.theta += 0.1 * self.omega
        return self.theta, self.omega


class Elman:
    """One-cell recurrent network as bare tensors."""

    def __init__(self, n_in, n_hid, n_out):
        def init(r, c):
            return (torch.randn(r, c) * 0.4 / math.sqrt(c)).requires_grad_()
        self.Wx, self.Wh, self.Wo = init(n_hid, n_in), init(n_hid, n_hid), init(n_out, n_hid)
        self.bh = torch.zeros(n_hid, requires_grad=True)
        self.h = torch.zeros(n_hid)

    def weights(self):
        return [self.Wx, self.Wh, self.Wo, self.bh]

    def advance(self, x):
        self.h = torch.tanh(self.Wx @ x + self.Wh @ self.h + self.bh)  # <- culprit
        return self.Wo @ self.h


class HandSGD:
    def __init__(self, weights, lr, clip):
        self.weights, self.lr, self.clip = weights, lr, clip

    def apply(self):
        norm = math.sqrt(sum(float(w.grad.pow(2).sum()) for w in self.weights))
        scale = min(1.0, self.clip / (norm + 1e-9))
        for w in self.weights:
            w.data.add_(w.grad, alpha=-self.lr * scale)
            w.grad.zero_()


class Identifier:
    def __init__(self, seed=33, lr=0.02):
        torch.manual_seed(seed)
        self.plant = Plant()
        self.core = Elman(3, 10, 2)
        self.sgd = HandSGD(self.core.weights(), lr, clip=1.0)

    def excitation(self, k):
        return math.sin(0.07 * k) + 0.5 * math.sin(0.31 * k + 1.0)

    def run(self, ticks):
        theta = omega = 0.0
        errs = []
        for k in range(ticks):
            u = self.excitation(k)
            guess = self.core.advance(torch.tensor([u, math.sin(theta), omega]))
            theta, omega = self.plant.tick(u)
            errs.append(self.correct(guess, torch.tensor([math.sin(theta), omega])))
        return errs

    def correct(self, guess, seen):
        err = 0.5 * (guess - seen).pow(2).sum()
        err.backward(retain_graph=True)  # <- culprit
        self.sgd.apply()
        return err.item()


if __name__ == "__main__":
    identifier = Identifier()
    e = identifier.run(260)
    print(sum(e[:50]) / 50, sum(e[-50:]) / 50)
