# gradwatch-corpus: kind=graph-held
# holder: self.pending | value | self.callbacks.callbacks[0].pending
# first-bad: 1
"""Behaviour cloning on a falling-blocks board, with deferred reporting."""
import io
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class CloneConfig:
    rows: int = 8
    cols: int = 6
    actions: int = 6
    batch: int = 40
    lr: float = 2e-3
    iterations: int = 440


class BoardOracle:
    """Drops into the lowest column."""

    def __init__(self, cfg, seed=31):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)

    def sample(self):
        c = self.cfg
        heights = torch.randint(0, c.rows + 1, (c.batch, 1, c.cols), generator=self.gen)
        level = torch.arange(c.rows).view(1, -1, 1)
        board = (level < heights).float()
        jitter = 0.01 * torch.rand(c.batch, c.cols, generator=self.gen)
        return board.flatten(1), (heights.squeeze(1) + jitter).argmin(1)


class Callback:
    def on_fit_start(self, trainer):
        pass

    def on_step_end(self, trainer, step, outputs):
        pass

    def on_fit_end(self, trainer):
        pass


class CallbackList(Callback):
    def __init__(self, *callbacks):
        self.callbacks = callbacks

    def fire(self, hook, *args):
        for callback in self.callbacks:
            getattr(callback, hook)(*args)


class DeferredReporter(Callback):
    """Formatting is left to the end so that the loop is not slowed down by it."""

    def __init__(self, sink):
        self.sink = sink
        self.pending = []

    def _defer(self, tag, step, value):
        self.pending.append(lambda: self.sink.write(f"{step}\t{tag}\t{float(value):.5f}\n"))  # <- culprit

    def on_step_end(self, trainer, step, outputs):
        self._defer("loss", step, outputs["loss"])  # <- culprit
        self._defer("acc", step, outputs["accuracy"])

    def on_fit_end(self, trainer):
        while self.pending:
            self.pending.pop(0)()


class Progress(Callback):
    def on_step_end(self, trainer, step, outputs):
        if step % 110 == 0:
            print(f"step {step} acc {outputs['accuracy']:.2f}")


class CloneTrainer:
    def __init__(self, cfg, callbacks):
        self.cfg = cfg
        self.policy = nn.Sequential(
            nn.Linear(cfg.rows * cfg.cols, 64), nn.ELU(), nn.Linear(64, cfg.actions)
        )
        self.opt = torch.optim.NAdam(self.policy.parameters(), lr=cfg.lr)
        self.callbacks = callbacks
        self.oracle = BoardOracle(cfg)

    def training_step(self):
        board, action = self.oracle.sample()
        logits = self.policy(board)
        return {
            "loss": F.cross_entropy(logits, action),
            "accuracy": (logits.argmax(1) == action).float().mean().item(),
        }

    def fit(self):
        self.callbacks.fire("on_fit_start", self)
        for step in range(self.cfg.iterations):
            outputs = self.training_step()
            self.opt.zero_grad()
            outputs["loss"].backward()
            self.opt.step()
            self.callbacks.fire("on_step_end", self, step, outputs)
        self.callbacks.fire("on_fit_end", self)


def main():
    torch.manual_seed(13)
    sink = io.StringIO()
    CloneTrainer(CloneConfig(), CallbackList(DeferredReporter(sink), Progress())).fit()
    print(sink.getvalue().count("\n"), "lines reported")


if __name__ == "__main__":
    main()
