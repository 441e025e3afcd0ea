# gradwatch-corpus: kind=graph-held
# holder: self.trace | probe.trace
# first-bad: 1
"""Fit a sinusoidal SDF network to a 2-D shape and profile its layer statistics."""
import contextlib
import functools
import math

import torch
from torch import nn

STEPS = 110


class Sine(nn.Module):
    def __init__(self, omega):
        super().__init__()
        self.omega = omega

    def forward(self, x):
        return torch.sin(self.omega * x)


def siren(widths, omega=12.0):
    layers = []
    for fan_in, fan_out in zip(widths[:-2], widths[1:-1]):
        linear = nn.Linear(fan_in, fan_out)
        bound = math.sqrt(6 / fan_in) / omega
        nn.init.uniform_(linear.weight, -bound, bound)
        layers += [linear, Sine(omega)]
    layers.append(nn.Linear(widths[-2], widths[-1]))
    return nn.Sequential(*layers)


class LayerProbe:
    """Collects the output of each activation, per step, for the end-of-run chart."""

    def __init__(self, net, every=1):
        self.every = every
        self.step = 0
        self.trace = {}
        self._handles = []
        for name, module in net.named_modules():
            if isinstance(module, Sine):
                hook = functools.partial(self._record, name)
                self._handles.append(module.register_forward_hook(hook))

    def _record(self, name, module, args, output):
        if self.step % self.every == 0:
            self.trace[self.step, name] = output.abs().amax(dim=0)  # <- culprit

    def tick(self):
        self.step += 1

    def close(self):
        for handle in self._handles:
            handle.remove()

    def chart(self):
        names = sorted({name for _, name in self.trace})
        for name in names:
            rows = [v.mean().item() for (_, n), v in self.trace.items() if n == name]
            yield name, rows[0], rows[-1]


@contextlib.contextmanager
def probing(net):
    probe = LayerProbe(net)
    try:
        yield probe
    finally:
        probe.close()


def rounded_star(xy):
    angle = torch.atan2(xy[:, 1], xy[:, 0])
    radius = 0.55 + 0.15 * torch.cos(5 * angle)
    return (xy.norm(dim=1) - radius).unsqueeze(1)


def main():
    torch.manual_seed(90)
    net = siren([2, 96, 96, 96, 1])
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    with probing(net) as probe:
        for step in range(STEPS):
            xy = torch.rand(512, 2) * 2 - 1
            loss = (net(xy) - rounded_star(xy)).abs().mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            probe.tick()
            if step % 22 == 0:
                print(f"{step:4d} l1={loss.item():.4f}")
    with torch.no_grad():
        for name, first, last in probe.chart():
            print(f"layer {name}: peak {first:.3f} -> {last:.3f}")


if __name__ == "__main__":
    main()
