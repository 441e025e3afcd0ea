import torch


class LossMeter:
    def __init__(self, bus, decay=0.97, every=60):
        self.decay, self.every, self.value = decay, every, None
        bus.subscribe("batch_end", self.on_batch)

    def on_batch(self, event):
        v = event.loss.item()
        self.value = v if self.value is None else self.decay * self.value + (1 - self.decay) * v
        if event.step % self.every == 0:
            print(f"step {event.step:4d}  smoothed loss {self.value:.4f}")


class ConfusionPrinter:
    def __init__(self, bus, classes, every):
        self.every = every
        self.matrix = torch.zeros(classes, classes, dtype=torch.long)
        self.classes = classes
        bus.subscribe("batch_end", self.on_batch)

    def on_batch(self, event):
        index = event.target * self.classes + event.predicted
        self.matrix += torch.bincount(index, minlength=self.classes ** 2).view(self.classes, -1)
        if (event.step + 1) % self.every == 0:
            acc = self.matrix.diag().sum().item() / self.matrix.sum().item()
            print(f"step {event.step + 1:4d}  accuracy over the last {self.every}: {acc:.3f}")
            self.matrix.zero_()


class PlateauStopper:
    def __init__(self, bus, meter, patience):
        self.bus, self.meter, self.patience = bus, meter, patience
        self.best, self.since = float("inf"), 0
        bus.subscribe("batch_end", self.on_batch)

    def on_batch(self, event):
        if self.meter.value < self.best - 1e-3:
            self.best, self.since = self.meter.value, 0
        else:
            self.since += 1
        if self.since > self.patience:
            self.bus.emit("stop_requested", event.step)
