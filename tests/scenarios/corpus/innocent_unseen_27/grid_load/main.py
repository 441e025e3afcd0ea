# gradwatch-corpus: kind=none
# after: the truncated-BPTT helpers on the forum and in ignite (several backwards within a window, then repackage)
"""Load of a power grid, one endless series per feeder; state handed through a coroutine, truncated BPTT.

Within a window every sub-step has its own backward, because the gradient noise is measured per
sub-step; only the last one may free the graph, which the sub-steps have in common.
"""
import torch
from torch import nn

from recurrent import carrier


class Feeders:
    def __init__(self, feeders=24, length=12):
        self.phase = torch.rand(feeders) * 6.28
        self.gain = 0.5 + torch.rand(feeders)
        self.length, self.t = length, 0

    def window(self):
        t = torch.arange(self.t, self.t + self.length + 1)[:, None].float()
        self.t += self.length
        load = self.gain * torch.sin(t * 0.26 + self.phase) + 0.3 * torch.sin(t * 0.037)
        load = load + 0.05 * torch.randn_like(load)
        return load[:-1, :, None], load[1:, :, None]


class NoiseScale:
    """Running statistics of the gradient of the readout per sub-step."""

    def __init__(self, p):
        self.p, self.mean, self.square, self.before = p, 0.0, 0.0, None

    def start(self):
        self.before = torch.zeros_like(self.p)

    def after_backward(self):
        part = self.p.grad - self.before
        self.before = self.p.grad.clone()
        self.mean = 0.9 * self.mean + 0.1 * part
        self.square = 0.9 * self.square + 0.1 * part.pow(2)

    @property
    def value(self):
        return float((self.square - self.mean ** 2).sum() / (self.mean ** 2).sum().clamp_min(1e-9))


def train(windows=80):
    torch.manual_seed(30)
    feeders = Feeders()
    cell, readout = nn.GRUCell(1, 32), nn.Linear(32, 1)
    params = [*cell.parameters(), *readout.parameters()]
    optimizer = torch.optim.Adam(params, lr=4e-3)
    noise = NoiseScale(readout.weight)
    states = carrier(cell, torch.zeros(24, 32))
    next(states)
    history = {"loss": [], "noise": []}
    for number in range(windows):
        x, y = feeders.window()
        optimizer.zero_grad(set_to_none=False)
        noise.start()
        total, last = 0.0, len(x) - 1
        for k, (now, goal) in enumerate(zip(x, y)):
            h = states.send(now)
            loss = nn.functional.mse_loss(readout(h), goal) / len(x)
            loss.backward(retain_graph=k < last)
            if readout.weight.grad is not None:
                noise.after_backward()
            total += loss.item()
        states.send(None)
        nn.utils.clip_grad_norm_(params, 1.0)
        optimizer.step()
        history["loss"].append(total)
        history["noise"].append(noise.value)
        if number % 20 == 0:
            print(f"window {number:3d} mse {total:.4f} noise {noise.value:.2f}")
    return history


if __name__ == "__main__":
    train()
