# gradwatch-corpus: kind=none
"""Gait phase estimation from leg sensors; layers are inspected in short hooked windows."""
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class GaitConfig:
    sensors: int = 12
    window: int = 32
    channels: int = 24
    phases: int = 4
    batch: int = 16
    steps: int = 120
    inspect_every: int = 30
    lr: float = 3e-3


class PhaseNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.first = nn.Conv1d(cfg.sensors, cfg.channels, 5, padding=2)
        self.second = nn.Conv1d(cfg.channels, cfg.channels, 5, padding=2)
        self.phase = nn.Linear(cfg.channels, cfg.phases)

    def forward(self, window):
        hidden = torch.relu(self.first(window))
        hidden = torch.relu(self.second(hidden))
        return self.phase(hidden.mean(dim=2))


class LayerInspector:
    def __init__(self, model, names):
        self.model = model
        self.names = names
        self.outputs = {}
        self.gradients = {}

    def watch(self, name):
        def on_forward(module, inputs, output):
            self.outputs[name] = output
            output.register_hook(lambda grad: self.gradients.__setitem__(name, grad.norm().item()))

        return self.model.get_submodule(name).register_forward_hook(on_forward)

    @contextmanager
    def window(self):
        handles = [self.watch(name) for name in self.names]
        try:
            yield self
        finally:
            for handle in handles:
                handle.remove()
            self.outputs.clear()

    def describe(self):
        parts = []
        for name, output in self.outputs.items():
            dead = (output <= 0).float().mean().item()
            parts.append(f"{name}: dead {dead:.2f} grad {self.gradients[name]:.2e}")
        return ", ".join(parts)


def walking(cfg):
    time = torch.linspace(0, 6.28, cfg.window)
    mount = torch.rand(cfg.sensors) * 6.28
    for _ in range(cfg.steps):
        phase = torch.randint(0, cfg.phases, (cfg.batch,))
        shift = phase.float() * 6.28 / cfg.phases
        signal = torch.sin(time.view(1, 1, -1) + mount.view(1, -1, 1) + shift.view(-1, 1, 1))
        yield signal + 0.3 * torch.randn_like(signal), phase


def main():
    torch.manual_seed(14)
    cfg = GaitConfig()
    model = PhaseNet(cfg)
    inspector = LayerInspector(model, ["first", "second"])
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)

    def update(window, phase):
        loss = criterion(model(window), phase)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    for step, (window, phase) in enumerate(walking(cfg)):
        if step % cfg.inspect_every == 0:
            with inspector.window():
                loss = update(window, phase)
                print(f"step {step:3d} loss {loss:.4f} | {inspector.describe()}")
        else:
            update(window, phase)


if __name__ == "__main__":
    main()
