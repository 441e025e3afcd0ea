# gradwatch-corpus: kind=graph-held
# holder: self.incidents | guard.incidents | self.incidents[-1].error | self.incidents[-1].error.__traceback__ | guard.incidents[-1].error | guard.incidents[-1].error.__traceback__ | incident.error.__traceback__ | incident.error | incident | error.__traceback__ | error
# first-bad: 3
# notice: 60
import contextlib
from dataclasses import dataclass

import torch
from torch import nn

STEPS = 130
BATCH = 32
LIMIT = 60.0


class GradientSpike(ArithmeticError):
    def __init__(self, norm):
        super().__init__(f"gradient norm {norm:.2f}")
        self.norm = norm


@dataclass
class Incident:
    step: int
    error: GradientSpike


class SpikeGuard:
    """Lets the run go on after a bad batch and keeps what went wrong for the final report."""

    def __init__(self, limit, budget):
        self.limit = limit
        self.budget = budget
        self.incidents = []

    def check(self, parameters):
        norm = nn.utils.clip_grad_norm_(parameters, self.limit * 10).item()
        if norm > self.limit:
            raise GradientSpike(norm)
        return norm

    @contextlib.contextmanager
    def tolerate(self, step):
        try:
            yield
        except GradientSpike as error:
            self.incidents.append(Incident(step, error))  # <- culprit
            if len(self.incidents) > self.budget:
                raise

    def report(self):
        if not self.incidents:
            return "no spikes"
        worst = max(self.incidents, key=lambda i: i.error.norm)
        return f"{len(self.incidents)} spikes, worst at step {worst.step}: {worst.error}"


class TremorStream:
    """Seismic-like windows; now and then a window comes with a faulty gain."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.template = torch.randn(1, 1, 9, generator=self.gen)

    def __iter__(self):
        for _ in range(STEPS):
            x = torch.randn(BATCH, 1, 64, generator=self.gen)
            y = nn.functional.conv1d(x, self.template, padding=4).amax(-1).squeeze(1) / 4
            if torch.rand((), generator=self.gen) < 0.2:
                x = x * 25
            yield x, y


def picker():
    return nn.Sequential(
        nn.Conv1d(1, 8, 9, padding=4), nn.ReLU(), nn.AdaptiveMaxPool1d(4), nn.Flatten(), nn.Linear(32, 1)
    )


def train_on(net, opt, guard, x, y):
    pred = net(x).squeeze(1)
    loss = nn.functional.mse_loss(pred, y)
    opt.zero_grad()
    loss.backward()
    guard.check(net.parameters())
    opt.step()
    return loss.item()


def main():
    torch.manual_seed(8)
    net = picker()
    opt = torch.optim.SGD(net.parameters(), lr=0.02)
    guard = SpikeGuard(LIMIT, budget=40)
    shown = 1.0
    for step, (x, y) in enumerate(TremorStream(seed=3)):
        with guard.tolerate(step):
            loss = train_on(net, opt, guard, x, y)
            shown = 0.9 * shown + 0.1 * loss
        if (step + 1) % 26 == 0:
            print(f"step {step + 1}: loss {shown:.4f}, {guard.report()}")
    print(guard.report())


if __name__ == "__main__":
    main()
