# gradwatch-corpus: kind=none
# about: mean teacher: an averaged copy gives targets without a graph; two losses, a ramp, and a
# about: history of consistency values as floats
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.blobs import batches, classes
from parts.ema import ModelEma
from parts.pace import ITERATIONS


def jitter(x):
    return x + 0.2 * torch.randn_like(x)


class MeanTeacher:
    def __init__(self, student):
        self.student, self.teacher = student, ModelEma(student, decay=0.98)
        self.optimizer = torch.optim.Adam(student.parameters(), lr=3e-3)
        self.history = {"class": [], "consistency": []}
        self.best = None

    def ramp(self, step, length=100):
        t = min(step / length, 1.0)
        return float(torch.exp(torch.tensor(-5.0 * (1 - t) ** 2)))

    def step(self, n, labelled, unlabelled):
        x, y = labelled
        u = unlabelled[0]
        logits = self.student(jitter(torch.cat([x, u])))
        with torch.no_grad():
            soft = self.teacher.module(jitter(torch.cat([x, u]))).softmax(1)
        supervised = F.cross_entropy(logits[: len(x)], y)
        consistency = F.mse_loss(logits.softmax(1), soft)
        loss = supervised + 5 * self.ramp(n) * consistency
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.teacher.update(self.student)
        self.history["class"].append(supervised.item())
        self.history["consistency"].append(consistency.item())
        if self.best is None or loss.detach() < self.best:
            self.best = loss.detach()


if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = classes(600)
    few, many = batches(x[:60], y[:60], 16), batches(x, y, 32)
    run = MeanTeacher(nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)))
    for n in range(ITERATIONS):
        run.step(n, next(few), next(many))
        if n % 50 == 49:
            tail = run.history["consistency"][-50:]
            print(f"{n + 1}: consistency {sum(tail) / 50:.7f} best {run.best.item():.6f}")
