import torch

from guard import Burst, PoorFit


class Trainer:
    level_limit = 0.5
    fit_limit = 4.0

    def __init__(self, model, source, guard):
        self.model, self.source, self.guard = model, source, guard
        self.opt = torch.optim.Adam(model.parameters(), lr=5e-3)
        self.trend = None

    def fit(self, windows):
        for i in range(windows):
            with self.guard:
                self.one_window(i)
            if i % 66 == 65:
                print(f"window {i + 1:4d}  trend {self.trend:.4f}")

    def one_window(self, i):
        x = self.source.window(i)
        recon = self.model(x)
        loss = (recon - x).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        value = loss.item()
        self.trend = value if self.trend is None else 0.95 * self.trend + 0.05 * value
        self.inspect(i, x.median().item(), value)

    def inspect(self, i, level, value):
        if level > self.level_limit:
            raise Burst(i, level)
        if i > 20 and value > self.fit_limit * self.trend:
            raise PoorFit(i, value)
