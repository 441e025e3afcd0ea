from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

from inner import Hyper, fresh_state, predict, unroll


@dataclass
class Settings:
    rounds: int
    unroll: int
    features: int
    relevant: int
    width: int = 16
    batch: int = 48


@dataclass
class History:
    inner: list = field(default_factory=list)
    outer: list = field(default_factory=list)


class Experiment:
    def __init__(self, settings):
        self.settings = settings
        self.history = History()
        self.hyper = Hyper(
            torch.full((settings.features,), -6.0, requires_grad=True),
            torch.tensor(-3.0, requires_grad=True),
        )
        self.outer_opt = torch.optim.Adam(self.hyper, lr=0.05)
        self.state = fresh_state(settings.features, settings.width)
        self.beta = torch.randn(settings.relevant)

    def draw(self):
        x = torch.randn(self.settings.batch, self.settings.features)
        y = x[:, :self.settings.relevant] @ self.beta / self.settings.relevant ** 0.5
        return x, torch.tanh(y) + 0.2 * torch.randn(len(y))

    def outer_loss(self, state):
        x, y = self.draw()
        return F.mse_loss(predict(state.params, x), y)

    def round(self):
        batches = [self.draw() for _ in range(self.settings.unroll)]
        self.state, values = unroll(self.state, self.hyper, batches)
        outer = self.outer_loss(self.state)
        self.outer_opt.zero_grad()
        outer.backward()
        self.outer_opt.step()
        self.state = self.state.detached()
        self.history.inner.append(values.mean().item())
        self.history.outer.append(outer.item())

    def run(self):
        for r in range(self.settings.rounds):
            if r and r % 35 == 0:
                self.state = fresh_state(self.settings.features, self.settings.width)
            self.round()
            if r % 14 == 0:
                step = self.hyper.log_step.detach().exp().item()
                print(f"round {r:3d} outer {self.history.outer[-1]:.4f} inner {self.history.inner[-1]:.4f} step {step:.4f}")

    def selected(self, n):
        return self.hyper.log_ridge.detach().topk(n, largest=False).indices.tolist()
