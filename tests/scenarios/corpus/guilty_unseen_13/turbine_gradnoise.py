# gradwatch-corpus: kind=memory-climb
# holder: self.snapshots | probe.snapshots | self.callbacks[0].snapshots | monitor.callbacks[0].snapshots
# first-bad: 1
"""Remaining-useful-life regression for wind turbine gearboxes, with the gradient noise scale estimated along the way."""
import torch
from torch import nn


class Callback:
    def on_backward(self, step, model): ...
    def on_step(self, step, loss): ...
    def on_end(self): ...


class GradientNoiseProbe(Callback):
    """Ratio of the gradients' variance to their squared mean over the last `window` steps."""

    def __init__(self, window=16, every=50):
        self.window, self.every = window, every
        self.snapshots = []

    def on_backward(self, step, model):
        flat = torch.cat([p.grad.flatten() for p in model.parameters()])
        self.snapshots.append(flat)  # <- culprit
        if (step + 1) % self.every == 0:
            print(f"step {step + 1:4d}  noise scale {self.estimate():.2f}")

    def estimate(self):
        recent = torch.stack(self.snapshots[-self.window:])  # <- culprit
        mean = recent.mean(0)
        var = recent.var(0).sum()
        return (var / mean.pow(2).sum().clamp_min(1e-12)).item()


class EarlyStopping(Callback):
    def __init__(self, patience=400, min_delta=1e-4):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.bad, self.stop = float("inf"), 0, False

    def on_step(self, step, loss):
        if loss < self.best - self.min_delta:
            self.best, self.bad = loss, 0
        else:
            self.bad += 1
            self.stop = self.bad >= self.patience

    def on_end(self):
        print(f"best batch loss {self.best:.5f}")


class GearboxNet(nn.Module):
    def __init__(self, sensors=18, window=32):
        super().__init__()
        self.front = nn.Linear(sensors * window, 128)
        self.mid = nn.Linear(128, 64)
        self.out = nn.Linear(64, 1)

    def forward(self, x):
        h = torch.relu(self.front(x.flatten(1)))
        return self.out(torch.relu(self.mid(h))).squeeze(1)


class RunToFailure:
    def __init__(self, sensors=18, window=32, seed=23):
        self.g = torch.Generator().manual_seed(seed)
        self.direction = torch.randn(sensors, 1, generator=self.g)
        self.shape = (sensors, window)

    def sample(self, n=32):
        life = torch.rand(n, generator=self.g)
        ramp = torch.linspace(0, 0.2, self.shape[1])
        wear = (1 - life).view(-1, 1, 1) + ramp
        noise = 0.5 * torch.randn(n, *self.shape, generator=self.g)
        return self.direction * wear.pow(2) + noise, life


class Monitor:
    def __init__(self, callbacks):
        self.net = GearboxNet()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=5e-3, momentum=0.9, nesterov=True)
        self.callbacks = callbacks
        self.data = RunToFailure()

    def _notify(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(*args)

    def train(self, steps):
        for step in range(steps):
            x, life = self.data.sample()
            loss = nn.functional.mse_loss(self.net(x), life)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self._notify("on_backward", step, self.net)
            self.opt.step()
            self._notify("on_step", step, loss.item())
            if any(getattr(cb, "stop", False) for cb in self.callbacks):
                break
        self._notify("on_end")


if __name__ == "__main__":
    torch.manual_seed(1)
    Monitor([GradientNoiseProbe(), EarlyStopping()]).train(300)
