# gradwatch-corpus: kind=none
"""Momentum contrast on synthetic spectra."""
import torch

from contrast import MomentumContrast
from spectra import SpectraGenerator


class Experiment:
    def __init__(self, steps, batch):
        self.steps = steps
        self.data = SpectraGenerator(bins=64)
        self.model = MomentumContrast(bins=64, dim=20, queue=192)
        self.batch = batch
        self.losses = []
        self.last_logits = None

    def run(self):
        for step in range(self.steps):
            query, key, _ = self.data.pairs(self.batch)
            loss, self.last_logits = self.model.loss(query, key)
            self.model.update(loss)
            self.losses.append(loss.detach())
            if step % 25 == 24:
                self.report(step)

    def report(self, step):
        mean = torch.stack(self.losses).mean().item()
        self.losses.clear()
        with torch.no_grad():
            top = (self.last_logits.argmax(1) == 0).float().mean().item()
        print(f"step {step + 1} nce {mean:.3f} instance acc {top:.3f} queue {len(self.model.queue)}")


if __name__ == "__main__":
    torch.manual_seed(60)
    Experiment(steps=125, batch=32).run()
