# gradwatch-corpus: kind=inplace-modified
# holder: w | layer.weight | module.weight | self.layers
# first-bad: 7
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Opts:
    n_events: int = 960
    n_feats: int = 30
    hidden: int = 48
    lr: float = 0.05
    epochs: int = 3
    max_norm: float = 1.0
    norm_every: int = 8


class Plugin:
    def bind(self, session):
        self.session = session

    def after_forward(self, step):
        pass

    def after_backward(self, step):
        pass

    def after_step(self, step):
        pass


class ClipGrad(Plugin):
    def __init__(self, limit):
        self.limit = limit

    def after_backward(self, step):
        nn.utils.clip_grad_norm_(self.session.net.parameters(), self.limit)


class MaxNorm(Plugin):
    def __init__(self, limit, every):
        self.limit, self.every = limit, every

    def bind(self, session):
        super().bind(session)
        self.layers = [m for m in session.net.modules() if isinstance(m, nn.Linear)]

    def after_forward(self, step):  # <- culprit
        if (step + 1) % self.every == 0:
            for layer in self.layers:
                self._project(layer.weight)  # <- culprit

    @torch.no_grad()
    def _project(self, w):
        norms = w.norm(dim=1, keepdim=True).clamp(min=1e-8)
        w.mul_((self.limit / norms).clamp(max=1.0))  # <- culprit


class Session:
    def __init__(self, opts, plugins):
        self.opts = opts
        self.net = nn.Sequential(
            nn.Linear(opts.n_feats, opts.hidden), nn.Tanh(),
            nn.Linear(opts.hidden, opts.hidden), nn.Tanh(),
            nn.Linear(opts.hidden, 2),
        )
        self.opt = torch.optim.SGD(self.net.parameters(), lr=opts.lr, momentum=0.9)
        self.plugins = plugins
        for p in plugins:
            p.bind(self)

    def call(self, stage, step):
        for p in self.plugins:
            getattr(p, stage)(step)

    def train(self, loader):
        step = 0
        for epoch in range(self.opts.epochs):
            running = 0.0
            for feats, origin in loader:
                loss = nn.functional.mse_loss(self.net(feats), origin)
                self.call("after_forward", step)  # <- culprit
                self.opt.zero_grad()
                loss.backward()
                self.call("after_backward", step)
                self.opt.step()
                self.call("after_step", step)
                running += loss.item()
                step += 1
                if step % 4 == 0:
                    print(f"epoch {epoch} step {step} mse {running / step:.4f}")


def events(opts):
    g = torch.Generator().manual_seed(21)
    where = torch.rand(opts.n_events, 2, generator=g)
    stations = torch.rand(opts.n_feats, 2, generator=g)
    delay = torch.cdist(where, stations)
    return TensorDataset(delay + 0.01 * torch.randn(delay.shape, generator=g), where)


if __name__ == "__main__":
    torch.manual_seed(0)
    opts = Opts()
    session = Session(opts, [ClipGrad(5.0), MaxNorm(opts.max_norm, opts.norm_every)])
    session.train(DataLoader(events(opts), batch_size=32, shuffle=True))
