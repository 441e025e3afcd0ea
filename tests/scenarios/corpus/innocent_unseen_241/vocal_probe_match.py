# gradwatch-corpus: kind=none
"""Distils a large vocal-fold vibration model into a small one by matching hooked intermediate features."""
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn


class GlottalPulses:
    def __init__(self, n_samples=96, seed=29):
        self.t = torch.linspace(0, 1, n_samples)
        self.rng = torch.Generator().manual_seed(seed)

    def utter(self, n):
        pitch = 4 + 8 * torch.rand(n, 1, generator=self.rng)
        open_quotient = 0.3 + 0.4 * torch.rand(n, 1, generator=self.rng)
        phase = (pitch * self.t) % 1.0
        pulse = torch.clamp(1 - (phase / open_quotient - 0.5).abs() * 2, min=0)
        pulse = pulse + 0.05 * torch.randn(pulse.shape, generator=self.rng)
        return pulse.unsqueeze(1), torch.cat([pitch / 12, open_quotient], dim=1)


def fold_net(width):
    return nn.Sequential(
        nn.Conv1d(1, width, 7, stride=2, padding=3),
        nn.ELU(),
        nn.Conv1d(width, width, 7, stride=2, padding=3),
        nn.ELU(),
        nn.AdaptiveAvgPool1d(4),
        nn.Flatten(),
        nn.Linear(4 * width, 2),
    )


class Stethoscope:
    def __init__(self, net, layers):
        self.heard = {}
        self.handles = [net[i].register_forward_hook(self._ear(i)) for i in layers]

    def _ear(self, tag):
        def listen(module, inputs, output):
            self.heard.setdefault(tag, []).append(output)

        return listen

    def collect(self):
        out = {tag: torch.cat(chunks) for tag, chunks in self.heard.items()}
        self.heard.clear()
        return out

    def off(self):
        for h in self.handles:
            h.remove()
        self.handles.clear()


@contextmanager
def gradient_probe(tensor, sink):
    handle = tensor.register_hook(lambda g: sink.append(g.norm().item()))
    try:
        yield
    finally:
        handle.remove()


class Apprenticeship:
    layers = (1, 3)

    def __init__(self):
        self.master = fold_net(32)
        self.pupil = fold_net(8)
        self.bridges = nn.ModuleDict({str(i): nn.Conv1d(8, 32, 1) for i in self.layers})
        self.opt_master = torch.optim.Adam(self.master.parameters(), lr=3e-3)
        self.opt_pupil = torch.optim.Adam([*self.pupil.parameters(), *self.bridges.parameters()], lr=3e-3)
        self.pulses = GlottalPulses()
        self.norms = []

    def train_master(self, n):
        for _ in range(n):
            wave, label = self.pulses.utter(32)
            loss = F.mse_loss(self.master(wave), label)
            self.opt_master.zero_grad()
            loss.backward()
            self.opt_master.step()
        self.master.eval().requires_grad_(False)

    def lesson(self, ear_master, ear_pupil):
        wave, label = self.pulses.utter(32)
        with torch.no_grad():
            for half in wave.chunk(2):
                self.master(half)
        answer = torch.cat([self.pupil(half) for half in wave.chunk(2)])
        goal = ear_master.collect()
        mine = ear_pupil.collect()
        match = sum(F.mse_loss(self.bridges[str(i)](mine[i]), goal[i]) for i in self.layers)
        loss = F.mse_loss(answer, label) + 0.1 * match
        self.opt_pupil.zero_grad()
        with gradient_probe(mine[self.layers[0]], self.norms):
            loss.backward()
        self.opt_pupil.step()
        return loss.item()

    def teach(self, n):
        ear_master = Stethoscope(self.master, self.layers)
        ear_pupil = Stethoscope(self.pupil, self.layers)
        try:
            for k in range(n):
                loss = self.lesson(ear_master, ear_pupil)
                if k % 20 == 0:
                    print(f"lesson {k:3d} loss {loss:.4f} grad {self.norms[-1]:.5f}")
        finally:
            ear_master.off()
            ear_pupil.off()


if __name__ == "__main__":
    torch.manual_seed(29)
    course = Apprenticeship()
    course.train_master(40)
    course.teach(120)
