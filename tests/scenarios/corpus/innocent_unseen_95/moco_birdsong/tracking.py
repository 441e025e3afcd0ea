import torch


class Tracker:
    """Keeps every value of a few scalars for plotting."""

    def __init__(self, *names):
        self.series = {n: [] for n in names}

    def update(self, **values):
        for name, v in values.items():
            self.series[name].append(v.detach().clone() if torch.is_tensor(v) else torch.tensor(v))

    def summary(self, last):
        return {n: round(torch.stack(s[-last:]).mean().item(), 4) for n, s in self.series.items()}
