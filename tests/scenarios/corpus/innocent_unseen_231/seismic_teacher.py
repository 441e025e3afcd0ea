# gradwatch-corpus: kind=none
"""Earthquake or quarry blast? Mean-teacher training with early stopping and a best-model snapshot."""
import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class EarlyStopping:
    """Early stops the training if validation loss doesn't improve after a given patience."""

    def __init__(self, patience=5, delta=0.0):
        self.patience = patience
        self.delta = delta
        self.counter = 0
        self.best_score = None
        self.early_stop = False
        self.best_state = None

    def __call__(self, val_loss, model):
        score = -val_loss
        if self.best_score is None or score > self.best_score + self.delta:
            self.best_score = score
            self.best_state = copy.deepcopy(model.state_dict())
            self.counter = 0
        else:
            self.counter += 1
            if self.counter >= self.patience:
                self.early_stop = True


class TraceNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(1, 8, 11, stride=2)
        self.bn = nn.BatchNorm1d(8)
        self.c2 = nn.Conv1d(8, 16, 7, stride=2)
        self.fc = nn.Linear(16, 2)

    def forward(self, x):
        x = F.relu(self.bn(self.c1(x)))
        x = F.relu(self.c2(x)).mean(2)
        return self.fc(x)


def traces(n, rng):
    t = np.linspace(0, 6, 160)
    kind = rng.integers(0, 2, n)
    out = np.zeros((n, 1, 160), dtype=np.float32)
    for k in range(n):
        f = 2.0 if kind[k] else 3.2
        decay = 0.4 if kind[k] else 0.9
        out[k, 0] = np.sin(2 * np.pi * f * t + rng.uniform(0, 6)) * np.exp(-decay * t)
        out[k, 0] += 0.2 * rng.standard_normal(160)
    return torch.from_numpy(out), torch.from_numpy(kind)


@torch.no_grad()
def update_teacher(teacher, student, decay):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.copy_(decay * t + (1 - decay) * s)
    for t, s in zip(teacher.buffers(), student.buffers()):
        t.copy_(s)


def main():
    torch.manual_seed(2)
    rng = np.random.default_rng(2)
    student = TraceNet()
    teacher = copy.deepcopy(student)
    for p in teacher.parameters():
        p.requires_grad_(False)
    opt = torch.optim.Adam(student.parameters(), lr=2e-3)
    stopper = EarlyStopping(patience=6)
    xv, yv = traces(100, rng)
    history = []
    for epoch in range(15):
        student.train()
        for _ in range(10):
            x, y = traces(16, rng)
            xu, _ = traces(16, rng)
            logits = student(x)
            soft = teacher(xu).softmax(1)
            consistency = F.mse_loss(student(xu + 0.1 * torch.randn_like(xu)).softmax(1), soft)
            loss = F.cross_entropy(logits, y) + 0.5 * consistency
            opt.zero_grad()
            loss.backward()
            opt.step()
            update_teacher(teacher, student, 0.95)
        teacher.eval()
        with torch.no_grad():
            val = F.cross_entropy(teacher(xv), yv)
        teacher.train()
        history.append(val)
        stopper(val.item(), teacher)
        if epoch % 3 == 0:
            print(f"epoch {epoch:2d} val {val:.4f} patience {stopper.counter}")
        if stopper.early_stop:
            print("Early stopping")
            break
    teacher.load_state_dict(stopper.best_state)
    teacher.eval()
    with torch.no_grad():
        acc = (teacher(xv).argmax(1) == yv).float().mean().item()
    print("best val", round(min(h.item() for h in history), 4), "acc", round(acc, 3))


if __name__ == "__main__":
    main()
