# gradwatch-corpus: kind=graph-chain
# holder: self.level | drift.level | self.drift.level | model.drift.level | calib.drift.level
# first-bad: 1
"""Odometry calibration for the warehouse carts. A small net corrects each window's displacement, and a linear
drift of the gyro, whose level goes on from window to window, is fitted along with it."""
import torch
import torch.nn as nn

WINDOW = 20
CHANNELS = 6
STEPS = 300


class CartLog:
    """Replays one long drive, window by window, with the drift that the lab measured."""

    def __init__(self, seed=41):
        self.gen = torch.Generator().manual_seed(seed)
        self.true_rate = torch.tensor([2e-3, -1e-3, 5e-4])
        self.mix = torch.randn(CHANNELS, 3, generator=self.gen) * 0.4
        self.tick = 0

    def __iter__(self):
        return self

    def __next__(self):
        imu = torch.randn(WINDOW, CHANNELS, generator=self.gen)
        t = torch.arange(self.tick + 1, self.tick + 1 + WINDOW).float().unsqueeze(1)
        self.tick += WINDOW
        pose = torch.tanh(imu @ self.mix) + t * self.true_rate
        pose = pose + 0.02 * torch.randn(pose.shape, generator=self.gen)
        return imu, pose


class LinearDrift(nn.Module):
    """Drift grows by `rate` with each tick."""

    def __init__(self, dims=3):
        super().__init__()
        self.rate = nn.Parameter(torch.zeros(dims))
        self.register_buffer("level", torch.zeros(dims), persistent=False)

    def forward(self, n):
        path = self.level + self.rate.expand(n, -1).cumsum(0)
        self.level = path[-1]  # <- culprit
        return path


class Calibration(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.correction = nn.Sequential(
            nn.Linear(CHANNELS, hidden),
            nn.Tanh(),
            nn.Linear(hidden, 3),
        )
        self.drift = LinearDrift()

    def forward(self, imu):
        return self.correction(imu) + self.drift(imu.shape[0])


class Session:
    def __init__(self, model, log):
        self.model = model
        self.log = log
        self.opt = torch.optim.Adam(
            [
                {"params": model.correction.parameters(), "lr": 3e-3},
                {"params": model.drift.parameters(), "lr": 2e-5},
            ]
        )
        self.huber = nn.SmoothL1Loss(beta=0.1)
        self.hooks = []

    def on_window(self, fn):
        self.hooks.append(fn)
        return fn

    def run(self, steps):
        for step, (imu, pose) in zip(range(steps), self.log):
            loss = self.huber(self.model(imu), pose)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for fn in self.hooks:
                fn(step, loss.item())


if __name__ == "__main__":
    torch.manual_seed(3)
    model = Calibration()
    session = Session(model, CartLog())

    @session.on_window
    def report(step, value):
        if step % 60 == 0:
            rate = ", ".join(f"{r:+.2e}" for r in model.drift.rate.tolist())
            print(f"window {step:4d}: loss {value:.4f}  rate [{rate}]")

    session.run(STEPS)
