# gradwatch-corpus: kind=graph-held
# holder: PROFILE.spans | self.spans | PROFILE.spans[-1] | span.result | PROFILE | self.spans[-1].result
# first-bad: 1
"""Neural ODE for a damped pendulum, fixed-step RK4.
Comes with a home-made profiler because I wanted calls, seconds and output shapes per function without the big trace."""
import functools
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn


@dataclass
class Span:
    name: str
    seconds: float
    result: Any


@dataclass
class Profile:
    spans: list = field(default_factory=list)
    enabled: bool = True

    def watch(self, fn):
        @functools.wraps(fn)
        def timed(*args, **kwargs):
            if not self.enabled:
                return fn(*args, **kwargs)
            start = time.perf_counter()
            result = fn(*args, **kwargs)
            self.spans.append(Span(fn.__qualname__, time.perf_counter() - start, result))  # <- culprit
            return result

        return timed

    def table(self):
        calls, seconds, shape = Counter(), Counter(), {}
        for span in self.spans:
            calls[span.name] += 1
            seconds[span.name] += span.seconds
            shape[span.name] = tuple(getattr(span.result, "shape", ()))
        for name in calls:
            yield f"{name:<20} calls {calls[name]:5d}  ms/call {1e3 * seconds[name] / calls[name]:7.3f}  out {shape[name]}"


PROFILE = Profile()


class Field(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        nn.init.normal_(self.net[-1].weight, std=0.05)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, y):
        return self.net(y)


def rk4(f, y, h):
    k1 = f(y)
    k2 = f(y + 0.5 * h * k1)
    k3 = f(y + 0.5 * h * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@PROFILE.watch
def integrate(f, y0, steps, h):
    path = [y0]
    for _ in range(steps):
        path.append(rk4(f, path[-1], h))
    return torch.stack(path)


def pendulum(y, damping=0.15):
    return torch.stack([y[..., 1], -torch.sin(y[..., 0]) - damping * y[..., 1]], dim=-1)


def truth(y0, steps, h, fine=5):
    y, path = y0, [y0]
    for _ in range(steps):
        for _ in range(fine):
            y = rk4(pendulum, y, h / fine)
        path.append(y)
    return torch.stack(path)


def main(iterations=240, horizon=6, h=0.15):
    torch.manual_seed(13)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(14)
    start = 2.4 * torch.rand(256, 2, generator=gen) - 1.2
    target = truth(start, horizon, h)
    field_net = Field()
    optim = torch.optim.Adam(field_net.parameters(), lr=1e-2)
    for it in range(iterations):
        pick = torch.randint(0, 256, (48,), generator=gen)
        path = integrate(field_net, start[pick], horizon, h)
        loss = (path - target[:, pick]).abs().mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        if it % 60 == 0:
            print(f"it {it:3d}  mean abs error {loss.item():.4f}")
    PROFILE.enabled = False
    with torch.no_grad():
        final = (integrate(field_net, start, horizon, h) - target).abs().mean()
    print(f"all trajectories: {final.item():.4f}")
    print(*PROFILE.table(), sep="\n")


if __name__ == "__main__":
    main()
