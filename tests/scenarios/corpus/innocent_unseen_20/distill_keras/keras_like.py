"""What we need of keras.Model and keras.callbacks."""
from collections import defaultdict

import torch
import torch.nn.functional as F


class Callback:
    model = None

    def on_epoch_begin(self, epoch, logs): ...

    def on_batch_end(self, batch, logs): ...

    def on_epoch_end(self, epoch, logs): ...


class CSVLike(Callback):
    def __init__(self, every):
        self.every = every

    def on_epoch_end(self, epoch, logs):
        if (epoch + 1) % self.every == 0:
            print(",".join([str(epoch + 1)] + [f"{v:.4f}" for v in logs.values()]))


class EarlyPlateau(Callback):
    """Halves the learning rate when the loss has not improved for `patience` epochs."""

    def __init__(self, patience=3):
        self.patience, self.wait, self.best = patience, 0, float("inf")

    def on_epoch_end(self, epoch, logs):
        if logs["loss"] < self.best - 1e-4:
            self.best, self.wait = logs["loss"], 0
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.wait = 0
            for group in self.model.optimizer.param_groups:
                group["lr"] *= 0.5


class Mean:
    def __init__(self):
        self.reset_state()

    def update_state(self, value, weight=1):
        self.total += value * weight
        self.count += weight

    def result(self):
        return (self.total / max(self.count, 1)).item()

    def reset_state(self):
        self.total, self.count = torch.zeros(()), 0


class Distiller:
    def __init__(self, student, teacher):
        self.student = student
        self.teacher = teacher.eval().requires_grad_(False)
        self.metrics = {k: Mean() for k in ("loss", "student_loss", "distill_loss")}
        self.soft_targets = {}

    def compile(self, optimizer, alpha, temperature):
        self.optimizer, self.alpha, self.temperature = optimizer, alpha, temperature

    def teach(self, b, x):
        """Batches are fixed, so each one goes through the teacher once."""
        if b not in self.soft_targets:
            self.soft_targets[b] = F.softmax(self.teacher(x) / self.temperature, -1)
        return self.soft_targets[b]

    def train_step(self, b, x, y):
        soft = self.teach(b, x)
        logits = self.student(x)
        hard = F.cross_entropy(logits, y)
        dist = F.kl_div(F.log_softmax(logits / self.temperature, -1), soft, reduction="batchmean")
        loss = self.alpha * hard + (1 - self.alpha) * self.temperature**2 * dist
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        with torch.no_grad():
            for meter, value in zip(self.metrics.values(), (loss, hard, dist)):
                meter.update_state(value, len(x))
        return {"loss": loss.item()}

    def fit(self, x, y, batch_size, epochs, callbacks=()):
        history = defaultdict(list)
        for cb in callbacks:
            cb.model = self
        batches = list(zip(x.split(batch_size), y.split(batch_size)))
        for epoch in range(epochs):
            for cb in callbacks:
                cb.on_epoch_begin(epoch, {})
            for b, (xb, yb) in enumerate(batches):
                logs = self.train_step(b, xb, yb)
                for cb in callbacks:
                    cb.on_batch_end(b, logs)
            logs = {k: m.result() for k, m in self.metrics.items()}
            for m in self.metrics.values():
                m.reset_state()
            for k, v in logs.items():
                history[k].append(v)
            for cb in callbacks:
                cb.on_epoch_end(epoch, logs)
        return history

    def evaluate(self, x, y):
        with torch.no_grad():
            logits = self.student(x)
            return {"loss": F.cross_entropy(logits, y).item(), "accuracy": (logits.argmax(1) == y).float().mean().item()}
