from dataclasses import dataclass

import torch


@dataclass
class SessionConfig:
    batch: int = 4
    frames: int = 24
    hop: int = 16
    width: int = 32
    steps: int = 120
    lr: float = 2e-3
    report: int = 30


class Session:
    def __init__(self, model, distance, bus, store, cfg):
        self.model = model
        self.distance = distance
        self.bus = bus
        self.store = store
        self.cfg = cfg
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)

    def run(self, provider):
        for step in range(self.cfg.steps):
            cond, wave = provider()
            pred = self.model(cond)
            spectral = self.distance(pred, wave)
            sample = (pred - wave).pow(2).mean()
            loss = spectral + 0.5 * sample
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.bus.emit("metric", name="spectral", value=spectral, step=step)  # <- culprit
            self.bus.emit("metric", name="loss", value=loss.item(), step=step)
            if (step + 1) % self.cfg.report == 0:
                recent = self.store.tail("spectral", self.cfg.report)
                print(f"step {step + 1} spectral {recent:.4f}")
