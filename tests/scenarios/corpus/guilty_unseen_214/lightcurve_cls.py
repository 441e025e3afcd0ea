# gradwatch-corpus: kind=graph-held
# holder: stats["loss"] | meter["loss"]
# first-bad: 1
"""Final project ASTR 452: classify transients (SN Ia / SN II / RR Lyrae) from sparse light curves."""
import argparse
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES = ["SNIa", "SNII", "RRLyr"]


def simulate(n, rng, n_obs=40):
    t = np.sort(rng.uniform(0, 60, size=(n, n_obs)), axis=1)
    y = rng.integers(0, 3, size=n)
    mag = np.zeros_like(t)
    for i in range(n):
        t0 = rng.uniform(5, 20)
        if y[i] == 0:
            mag[i] = np.exp(-((t[i] - t0) / 9.0) ** 2)
        elif y[i] == 1:
            mag[i] = 0.8 / (1 + np.exp(-(t[i] - t0))) * (t[i] < t0 + 30)
        else:
            mag[i] = 0.4 * np.sin(2 * math.pi * t[i] / rng.uniform(0.4, 0.9))
    mag += rng.normal(0, 0.07, size=mag.shape)
    feats = np.stack([t / 60.0, mag, np.gradient(mag, axis=1)], axis=1)
    return torch.tensor(feats, dtype=torch.float32), torch.tensor(y)


def make_model(width):
    return nn.Sequential(
        nn.Conv1d(3, width, 5, padding=2), nn.BatchNorm1d(width), nn.ReLU(),
        nn.Conv1d(width, width, 5, padding=2), nn.BatchNorm1d(width), nn.ReLU(),
        nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Dropout(0.2),
        nn.Linear(4 * width, len(CLASSES)),
    )


def batches(X, y, bs, gen):
    perm = torch.randperm(len(X), generator=gen)
    for k in range(0, len(X) - bs + 1, bs):
        idx = perm[k:k + bs]
        yield X[idx], y[idx]


def update_meter(meter, loss, logits, target):
    meter["n"] += len(target)
    meter["correct"] += int((logits.argmax(1) == target).sum())
    meter["loss"] = meter["loss"] + loss * len(target)  # <- culprit


def evaluate(model, X, y):
    model.eval()
    with torch.no_grad():
        out = model(X)
    model.train()
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--width", type=int, default=24)
    args = ap.parse_args()

    torch.manual_seed(3)
    rng = np.random.default_rng(3)
    X, y = simulate(640, rng)
    Xv, yv = simulate(128, rng)
    model = make_model(args.width)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    gen = torch.Generator().manual_seed(0)
    stats = {"n": 0, "correct": 0, "loss": 0.0}

    for epoch in range(args.epochs):
        for xb, yb in batches(X, y, 32, gen):
            logits = model(xb)
            loss = F.cross_entropy(logits, yb, label_smoothing=0.05)
            opt.zero_grad()
            loss.backward()
            opt.step()
            update_meter(stats, loss, logits, yb)  # <- culprit
        sched.step()
        vl, va = evaluate(model, Xv, yv)
        print(f"epoch {epoch}: train {stats['loss'] / stats['n']:.3f} acc {stats['correct'] / stats['n']:.3f}"
              f" | val {vl:.3f} acc {va:.3f}")


if __name__ == "__main__":
    main()
