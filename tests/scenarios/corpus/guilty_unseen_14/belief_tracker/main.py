# gradwatch-corpus: kind=graph-chain
# holder: self.belief | session.belief | belief | self.belief.mean | session.belief.mean | self.belief.log_var | session.belief.log_var
# first-bad: 1
"""Learned recursive filter: predict a manoeuvring target from range and bearing, update online
once per radar sweep. The optimiser is the plain Nesterov variant from the group's old toolbox."""
import torch

from filters import LearnedFilter
from nesterov import Nesterov
from session import OnlineSession, Plugin
from world import sweeps


class Report(Plugin):
    def __init__(self, every):
        self.every = every
        self.errors = []

    def after_update(self, session, step, loss):
        self.errors.append(loss)
        if (step + 1) % self.every == 0:
            tail = self.errors[-self.every:]
            spread = session.belief.log_var.detach().exp().mean().item()
            print(f"sweep {step + 1:4d}  nll {sum(tail) / len(tail):+.4f}  spread {spread:.3f}")


class Anneal(Plugin):
    def __init__(self, at, factor):
        self.at, self.factor = set(at), factor

    def after_update(self, session, step, loss):
        if step in self.at:
            session.optimizer.scale_lr(self.factor)


if __name__ == "__main__":
    torch.manual_seed(73)
    model = LearnedFilter(observation=3, latent=10)
    session = OnlineSession(model, Nesterov(model.parameters(), lr=0.01, momentum=0.8),
                            plugins=[Report(50), Anneal((100, 150), 0.5)])
    session.run(sweeps(targets=8, seed=73), limit=220)
