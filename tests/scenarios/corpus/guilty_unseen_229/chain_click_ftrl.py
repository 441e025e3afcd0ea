# gradwatch-corpus: kind=graph-chain
# holder: weights | new_weights | bias
# first-bad: 1
"""Quick-and-dirty CTR baseline: hashed features, hand-rolled momentum SGD, out-of-fold style holdout."""
import math
import time

import torch
import torch.nn.functional as F

N_BUCKETS = 2048
N_FIELDS = 8
BATCH = 256
STEPS = 120


def hash_rows(rows):
    salt = torch.arange(1, N_FIELDS + 1) * 7919
    return (rows * 31 + salt) % N_BUCKETS


def one_hot_bag(rows):
    idx = hash_rows(rows)
    out = torch.zeros(len(rows), N_BUCKETS)
    out.scatter_add_(1, idx, torch.ones_like(idx, dtype=torch.float32))
    return out / math.sqrt(N_FIELDS)


def make_frame(n, gen):
    rows = torch.randint(0, 60, (n, N_FIELDS), generator=gen)
    signal = torch.sin(rows[:, 0].float()) + 0.5 * torch.cos(rows[:, 3].float())
    clicks = (torch.rand(n, generator=gen) < torch.sigmoid(2 * signal)).float()
    return rows, clicks


def auc(score, label):
    order = score.argsort()
    ranks = torch.empty(len(score))
    ranks[order] = torch.arange(1, len(score) + 1, dtype=torch.float32)
    pos = label.sum()
    neg = len(label) - pos
    return ((ranks[label > 0].sum() - pos * (pos + 1) / 2) / (pos * neg)).item()


def sgd_update(weights, bias, velocity, lr, momentum=0.8):
    velocity["w"] = momentum * velocity["w"] + weights.grad
    velocity["b"] = momentum * velocity["b"] + bias.grad
    new_weights = weights - lr * velocity["w"]  # <- culprit
    new_bias = bias - lr * velocity["b"]  # <- culprit
    return new_weights, new_bias


def main():
    torch.manual_seed(2024)
    gen = torch.Generator().manual_seed(5)
    rows, clicks = make_frame(6000, gen)
    hold_rows, hold_clicks = make_frame(1500, gen)
    hold_x = one_hot_bag(hold_rows)

    weights = torch.zeros(N_BUCKETS, requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    velocity = {"w": torch.zeros(N_BUCKETS), "b": torch.zeros(1)}
    start = time.time()

    for step in range(STEPS):
        pick = torch.randint(0, len(rows), (BATCH,), generator=gen)
        x = one_hot_bag(rows[pick])
        weights.retain_grad()
        bias.retain_grad()
        logit = x @ weights + bias
        loss = F.binary_cross_entropy_with_logits(logit, clicks[pick])
        loss = loss + 1e-4 * weights.pow(2).sum()
        loss.backward()
        lr = 1.5 * (1 - step / STEPS)
        weights, bias = sgd_update(weights, bias, velocity, lr)  # <- culprit
        if step % 30 == 0:
            with torch.no_grad():
                score = hold_x @ weights + bias
            print(f"{step:4d} logloss={loss.item():.4f} auc={auc(score, hold_clicks):.4f}")

    print(f"done in {time.time() - start:.1f}s")


if __name__ == "__main__":
    main()
