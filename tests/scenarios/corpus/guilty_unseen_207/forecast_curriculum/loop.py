import math

import torch


def waves(batch, length):
    phase = torch.rand(batch, 1) * 2 * math.pi
    freq = 0.2 + 0.3 * torch.rand(batch, 1)
    t = torch.arange(length).float()
    return torch.sin(phase + freq * t) + 0.05 * torch.randn(batch, length)


class Loop:
    def __init__(self, model, callbacks=()):
        torch.manual_seed(0)
        self.model = model
        self.callbacks = list(callbacks)
        self.horizon = model.max_horizon
        self.optim = torch.optim.Adam(model.parameters(), lr=4e-3)

    def emit(self, event, *args):
        for callback in self.callbacks:
            getattr(callback, event)(self, *args)

    def run(self, steps):
        self.emit("on_train_begin")
        for step in range(steps):
            series = waves(16, 16 + self.horizon)
            past, future = series[:, :16, None], series[:, 16:]
            losses = (self.model(past, self.horizon) - future).pow(2)
            self.optim.zero_grad()
            losses.mean().backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optim.step()
            self.emit("on_step_end", losses)
            if step % 100 == 0:
                print(step, f"{losses.mean().item():.4f}")
