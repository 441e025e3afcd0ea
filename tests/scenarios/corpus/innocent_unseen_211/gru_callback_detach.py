# gradwatch-corpus: kind=none
"""Traffic counts at junctions, one GRU carried over the day, windows of ten minutes."""
import torch
from torch import nn


class Callback:
    def on_day_start(self, run): ...
    def on_window_start(self, run): ...
    def on_window_end(self, run): ...
    def on_day_end(self, run): ...


class DetachState(Callback):
    def on_day_start(self, run):
        run.net.state = None

    def on_window_end(self, run):
        run.net.state = run.net.state.clone().detach()


class History(Callback):
    def __init__(self):
        self.windows, self.days = [], []

    def on_window_end(self, run):
        self.windows.append(run.loss.item())

    def on_day_end(self, run):
        self.days.append(sum(self.windows) / len(self.windows))
        self.windows = []
        print("day", len(self.days), round(self.days[-1], 5))


class BestWeights(Callback):
    def __init__(self, history):
        self.history, self.best, self.weights = history, float("inf"), None

    def on_day_end(self, run):
        if self.history.days[-1] < self.best:
            self.best = self.history.days[-1]
            self.weights = {k: v.detach().clone() for k, v in run.net.state_dict().items()}

    def restore(self, net):
        net.load_state_dict(self.weights)


class JunctionNet(nn.Module):
    def __init__(self, n, width=32):
        super().__init__()
        self.gru = nn.GRU(n, width, batch_first=True)
        self.out = nn.Linear(width, n)
        self.state = None

    def forward(self, x):
        y, self.state = self.gru(x, self.state)
        return self.out(y)


class Run:
    def __init__(self, net, callbacks):
        self.net, self.callbacks = net, callbacks
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.loss = None

    def fire(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def day(self, counts, size=10):
        self.fire("on_day_start")
        for s in range(0, counts.size(1) - size, size):
            self.fire("on_window_start")
            pred = self.net(counts[:, s:s + size])
            self.loss = nn.functional.mse_loss(pred, counts[:, s + 1:s + size + 1])
            self.opt.zero_grad()
            self.loss.backward()
            self.opt.step()
            self.fire("on_window_end")
        self.fire("on_day_end")


def counts(day, n=7, batch=6, length=241):
    g = torch.Generator().manual_seed(day)
    t = torch.linspace(0, 6.28, length).view(1, -1, 1)
    ph = torch.rand(batch, 1, n, generator=g)
    return torch.sin(3 * t + ph) ** 2 + 0.05 * torch.randn(batch, length, n, generator=g)


if __name__ == "__main__":
    torch.manual_seed(0)
    hist = History()
    best = BestWeights(hist)
    run = Run(JunctionNet(7), [DetachState(), hist, best])
    for d in range(6):
        run.day(counts(d))
    best.restore(run.net)
    print("best", best.best)
