# gradwatch-corpus: kind=graph-held
# holder: watch.incidents | watch.incidents[i].__traceback__ | self.incidents | learner.watch.incidents | exc.__traceback__
# first-bad: 2
# notice: 8
"""Online forecaster for the output of a solar inverter; odd readings are noted and the stream goes on."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(230)


class OutOfTolerance(RuntimeError):
    def __init__(self, minute, excess):
        super().__init__(f"minute {minute}: residual {excess:.2f} kW over tolerance")
        self.minute, self.excess = minute, excess


class Watch:
    def __init__(self, *kinds):
        self.kinds = kinds
        self.incidents = []

    def __enter__(self):
        return self

    def __exit__(self, kind, exc, tb):
        if kind is not None and issubclass(kind, self.kinds):
            self.incidents.append(exc)  # <- culprit
            return True
        return False


class InverterLearner:
    def __init__(self, lags=6, tolerance=0.3):
        self.net = nn.Sequential(nn.Linear(lags, 16), nn.Tanh(), nn.Linear(16, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.03)
        self.tolerance = tolerance
        self.seen = 0

    def learn_one(self, lagged, now):
        forecast = self.net(lagged)
        loss = (forecast - now).square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.seen += 1
        self.audit(forecast, now)
        return loss.item()

    def audit(self, forecast, now):
        worst = (forecast - now).abs().max().item()
        if worst > self.tolerance:
            raise OutOfTolerance(self.seen, worst - self.tolerance)


def minutes(total, lags=6):
    series = torch.zeros(lags)
    for m in range(total):
        sun = max(0.0, torch.sin(torch.tensor(m / 60.0)).item())
        new = torch.tensor([sun + 0.25 * torch.randn(()).item()])
        yield series, new
        series = torch.cat([series[1:], new])


def main():
    learner = InverterLearner()
    watch = Watch(OutOfTolerance, FloatingPointError)
    for lagged, now in minutes(1500):
        with watch:
            learner.learn_one(lagged, now)
    worst = max(watch.incidents, key=lambda e: e.excess)
    print(f"{learner.seen} minutes, {len(watch.incidents)} incidents, worst: {worst}")


if __name__ == "__main__":
    main()
