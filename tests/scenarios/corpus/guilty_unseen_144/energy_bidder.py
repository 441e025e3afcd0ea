# gradwatch-corpus: kind=crashed
# first-bad: 50
# notice: 0
import torch

torch.set_num_threads(1)
from torch import nn


class Plugin:
    priority = 0

    def attach(self, trainer):
        self.trainer = trainer

    def after_step(self, n):
        pass


class Validation(Plugin):
    priority = 10

    def __init__(self, every, hours):
        self.every, self.hours = every, hours

    def after_step(self, n):
        if n % self.every:
            return
        net = self.trainer.net
        net.eval()
        torch.set_grad_enabled(False)  # <- culprit
        weather, load = self.trainer.sample(self.hours)
        mape = ((net(weather) - load) / load).abs().mean()
        print(f"after {n}: mape {mape.item():.3f}")
        net.train()


class Throttle(Plugin):
    def after_step(self, n):
        for g in self.trainer.opt.param_groups:
            g["lr"] = 1e-2 / (1 + n / 200)


class Bidder:
    def __init__(self, *plugins):
        torch.manual_seed(18)
        self.net = nn.Sequential(nn.Linear(5, 20), nn.Softplus(), nn.Dropout(0.05), nn.Linear(20, 1), nn.Flatten(0))
        self.opt = torch.optim.Adam(self.net.parameters(), 1e-2)
        self.plugins = sorted(plugins, key=lambda p: p.priority)
        for p in self.plugins:
            p.attach(self)

    def sample(self, n):
        w = torch.rand(n, 5)
        return w, 2 + w[:, 0] - 0.7 * w[:, 1] * w[:, 2]

    def fit(self, steps):
        for n in range(1, steps + 1):
            w, load = self.sample(30)
            q = load - self.net(w)
            loss = torch.maximum(0.8 * q, -0.2 * q).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for p in self.plugins:
                p.after_step(n)


Bidder(Validation(50, 48), Throttle()).fit(400)
