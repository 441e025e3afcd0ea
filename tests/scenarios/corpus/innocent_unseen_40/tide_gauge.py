# gradwatch-corpus: kind=none
import logging
from dataclasses import dataclass

import torch
from torch import nn

log = logging.getLogger("tide")


@dataclass
class TideConfig:
    harbours: int = 6
    window: int = 8
    windows_per_update: int = 3
    updates: int = 80
    width: int = 20
    lr: float = 5e-3


class CarryMixin:
    """Recurrent state that outlives a forward call."""

    _state = None

    def _stash(self, state):
        self._state = state

    def _fetch(self, x, width):
        if self._state is None:
            zeros = x.new_zeros(1, x.size(0), width)
            return zeros, zeros.clone()
        return self._state

    def truncate(self):
        if self._state is not None:
            self._state = self._repackage(self._state)

    def _repackage(self, state):
        if torch.is_tensor(state):
            return state.detach()
        return tuple(self._repackage(s) for s in state)


class TideNet(CarryMixin, nn.Module):
    def __init__(self, c):
        super().__init__()
        self.width = c.width
        self.lstm = nn.LSTM(2, c.width, batch_first=True)
        self.head = nn.Linear(c.width, 1)

    def forward(self, x):
        out, state = self.lstm(x, self._fetch(x, self.width))
        self._stash(state)
        return self.head(out).squeeze(-1)


class Callback:
    def before_update(self, trainer):
        pass

    def after_update(self, trainer):
        pass


class Truncation(Callback):
    def before_update(self, trainer):
        trainer.model.truncate()


class Report(Callback):
    def __init__(self):
        self.seen = []

    def after_update(self, trainer):
        self.seen.append(torch.stack(trainer.window_losses).mean().item())
        if len(self.seen) % 20 == 0:
            log.info("update %d  rmse %.3f", len(self.seen), self.seen[-1] ** 0.5)


class Trainer:
    def __init__(self, c):
        self.c = c
        self.model = TideNet(c)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=c.lr)
        self.callbacks = [Truncation(), Report()]
        self.window_losses = []

    def fire(self, name):
        for cb in self.callbacks:
            getattr(cb, name)(self)

    def update(self, windows):
        self.fire("before_update")
        self.window_losses.clear()
        for x, y in windows:
            self.window_losses.append(nn.functional.mse_loss(self.model(x), y))
        self.opt.zero_grad()
        sum(self.window_losses).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.fire("after_update")


def gauge_record(c):
    n = c.window * c.windows_per_update * c.updates + 1
    t = torch.arange(n, dtype=torch.float32)
    phase = torch.rand(c.harbours, 1) * 6.28
    level = torch.sin(t / 2.0 + phase) + 0.5 * torch.sin(t / 1.93 + phase)
    wind = 0.2 * torch.randn(c.harbours, n)
    return torch.stack([level + wind, wind], dim=-1), level


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(23)
    c = TideConfig()
    x, level = gauge_record(c)
    trainer, span = Trainer(c), c.window * c.windows_per_update
    for start in range(0, span * c.updates, span):
        cuts = range(start, start + span, c.window)
        trainer.update([(x[:, s:s + c.window], level[:, s + 1:s + c.window + 1]) for s in cuts])


if __name__ == "__main__":
    main()
