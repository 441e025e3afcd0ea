# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Compress the gesture recogniser for the wristband: a wide accelerometer CNN teaches a two-layer student.
The teacher weights come from a fixed seed here, so that the example runs without the model store."""
import torch

from losses import build_loss
from models import build
from stream import GestureStream

CONFIG = {
    "steps": 220,
    "batch": 24,
    "classes": 7,
    "teacher": {"arch": "wide", "seed": 99},
    "student": {"arch": "slim", "seed": 1},
    "loss": {"name": "distill", "temperature": 3.0, "alpha": 0.7},
    "lr": 3e-3,
}


def train(cfg):
    stream = GestureStream(cfg["classes"], seed=17)
    teacher = build(classes=cfg["classes"], **cfg["teacher"]).eval()
    student = build(classes=cfg["classes"], **cfg["student"])
    criterion = build_loss(teacher=teacher, **cfg["loss"])
    optimizer = torch.optim.Adam(student.parameters(), lr=cfg["lr"])
    hits, seen = 0, 0
    for step in range(1, cfg["steps"] + 1):
        x, y = stream.next(cfg["batch"])
        logits = student(x)
        loss, parts = criterion(x, logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += int((logits.argmax(1) == y).sum())
        seen += len(y)
        if step % 55 == 0:
            print(f"step {step}: hard {parts['hard']:.3f} soft {parts['soft']:.3f} acc {hits / seen:.2f}")
            hits, seen = 0, 0
    return student


if __name__ == "__main__":
    torch.manual_seed(0)
    train(CONFIG)
