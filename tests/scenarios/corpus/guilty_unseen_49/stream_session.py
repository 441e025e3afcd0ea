# gradwatch-corpus: kind=graph-chain
# holder: self._memory | session._memory | self.session._memory | learner.session._memory | self.session.memory | session.memory
# first-bad: 1
import math
from contextlib import contextmanager

import torch
from torch import nn
from torch.optim import Optimizer


class PlainSGD(Optimizer):
    """Our own SGD with an update clip; predates the vendored optimizers."""

    def __init__(self, params, lr=0.05, clip=0.1):
        super().__init__(params, dict(lr=lr, clip=clip))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data.sub_((group["lr"] * p.grad).clamp(-group["clip"], group["clip"]))


class Session:
    """One customer's stream; remembers what the model knew at the last tick."""

    def __init__(self, width: int, device: str = "cpu"):
        self.device = torch.device(device)
        self.ticks = 0
        self._memory = torch.zeros(1, width, device=self.device)

    @property
    def memory(self):
        return self._memory

    @memory.setter
    def memory(self, value):
        self._memory = value.to(self.device)  # <- culprit
        self.ticks += 1

    @contextmanager
    def tick(self):
        box = {"memory": self.memory}
        yield box
        self.memory = box["memory"]  # <- culprit


class Forecaster(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.cell = nn.RNNCell(2, width)
        self.read = nn.Linear(width, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.read(h), h


class StreamLearner:
    def __init__(self, model: Forecaster, session: Session, **opts):
        self.model, self.session = model, session
        self.opt = PlainSGD(model.parameters(), lr=opts.get("lr", 0.02))
        self.keep_graph = opts.get("keep_graph", True)

    def learn(self, obs, target) -> float:
        with self.session.tick() as box:
            pred, box["memory"] = self.model(obs, box["memory"])  # <- culprit
            loss = (pred - target).square().mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=self.keep_graph)
        self.opt.step()
        return loss.item()


def load_curve(n):
    for t in range(n + 1):
        yield math.sin(t / 5) + 0.3 * math.sin(t / 1.7), math.cos(t / 24)


def main():
    torch.manual_seed(6)
    session = Session(width=16)
    learner = StreamLearner(Forecaster(16), session, lr=0.03)
    ticks = list(load_curve(90))
    total = 0.0
    for now, nxt in zip(ticks, ticks[1:]):
        total += learner.learn(torch.tensor([now]), torch.tensor([[nxt[0]]]))
        if session.ticks % 30 == 0:
            print(f"tick {session.ticks}: mean error {total / 30:.4f}")
            total = 0.0


if __name__ == "__main__":
    main()
