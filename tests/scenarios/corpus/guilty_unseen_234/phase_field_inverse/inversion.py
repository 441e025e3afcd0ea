import torch
from torch.nn.functional import softplus

from alloy import evolve


class AlloyInversion:
    def __init__(self, start, end, steps, reporter):
        self.start = start
        self.end = end
        self.steps = steps
        self.reporter = reporter
        self.raw = torch.zeros(3, requires_grad=True)
        self.opt = torch.optim.RMSprop([self.raw], lr=0.02)

    def physical(self):
        return softplus(self.raw).unbind()

    def iterate(self, k):
        barrier, gradient, mobility = self.physical()
        image = evolve(self.start, barrier, gradient, mobility, self.steps)
        misfit = torch.mean((image - self.end) ** 2)
        contrast = image.std()
        self.opt.zero_grad()
        (misfit + 1e-4 * self.raw.square().sum()).backward()
        self.opt.step()

        def measure():
            return misfit.item(), contrast.item(), mobility.item()  # <- culprit

        self.reporter.later(k, measure)  # <- culprit

    def estimate(self):
        with torch.no_grad():
            barrier, gradient, mobility = self.physical()
        return {
            "barrier": barrier.item(),
            "gradient": gradient.item(),
            "mobility": mobility.item(),
        }
