import torch
from torch import nn


class Pipeline:
    def __init__(self, big, small, taps, terms, trail):
        self.big, self.small, self.taps, self.trail = big, small, taps, trail
        self.terms = nn.ModuleList(terms)
        self.opt = torch.optim.Adam([*small.parameters(), *self.terms.parameters()], lr=3e-3)
        self.context = None

    def run(self, stream, steps):
        for step in range(steps):
            x, y = next(stream)
            self.context = {"t": self.big(x), "s": self.small(x), "y": y, "taps": self.taps}
            loss = sum(term(self.context) for term in self.terms)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.trail.mark(step, self.small)
            if step % 110 == 0:
                print(step, [round(t.history[-1].item(), 3) for t in self.terms])
