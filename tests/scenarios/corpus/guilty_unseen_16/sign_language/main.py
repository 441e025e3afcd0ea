# gradwatch-corpus: kind=graph-held
# holder: self._unclaimed | bus._unclaimed | self.bus._unclaimed | bus._unclaimed["alignment"] | self._unclaimed[topic] | self._unclaimed["alignment"] | self.bus._unclaimed['alignment']
# first-bad: 1
"""Isolated gloss recognition from 2-D hand keypoints (thesis code, chapter 4).

Everything that is not the model talks over an event bus: progress, early stopping, the alignment viewer.
"""
import torch
import torch.nn.functional as F

from bus import EventBus
from clips import KeypointClips
from model import GlossRecognizer

STEPS = 260


class Progress:
    def __init__(self, bus, every=65):
        self.every, self.loss, self.right, self.n = every, 0.0, 0, 0
        bus.subscribe("step", self.on_step)
        bus.subscribe("finished", self.on_finished)

    def on_step(self, step, loss, right, batch):
        self.loss = 0.95 * self.loss + 0.05 * loss if self.n else loss
        self.right += right
        self.n += batch
        if (step + 1) % self.every == 0:
            print(f"step {step + 1:4d}  loss {self.loss:.3f}  acc {self.right / self.n:.3f}")

    def on_finished(self, steps):
        print(f"done after {steps} steps, overall acc {self.right / self.n:.3f}")


class Plateau:
    """Halves the learning rate if the loss has not improved for a while."""

    def __init__(self, bus, optim, patience=80):
        self.optim, self.patience = optim, patience
        self.best, self.since = float("inf"), 0
        bus.subscribe("step", self.on_step)

    def on_step(self, step, loss, right, batch):
        if loss < self.best - 1e-3:
            self.best, self.since = loss, 0
            return
        self.since += 1
        if self.since >= self.patience:
            self.since = 0
            for group in self.optim.param_groups:
                group["lr"] *= 0.5


class Session:
    def __init__(self, bus, viewer=None):
        self.bus = bus
        self.data = KeypointClips(glosses=12, seed=11)
        self.model = GlossRecognizer(joints=21, glosses=12)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        Progress(bus)
        Plateau(bus, self.optim)
        if viewer is not None:
            bus.subscribe("alignment", viewer)

    def step(self, i):
        points, lengths, gloss = self.data.batch(16)
        logits, attention = self.model(points, lengths)
        loss = F.cross_entropy(logits, gloss)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        right = int((logits.argmax(1) == gloss).sum())
        self.bus.publish("alignment", attention=attention, lengths=lengths)  # <- culprit
        self.bus.publish("step", step=i, loss=loss.item(), right=right, batch=len(gloss))

    def run(self):
        for i in range(STEPS):
            self.step(i)
        self.bus.publish("finished", steps=STEPS)


if __name__ == "__main__":
    torch.manual_seed(1)
    torch.set_num_threads(1)
    Session(EventBus()).run()
