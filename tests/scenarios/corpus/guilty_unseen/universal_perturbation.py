# gradwatch-corpus: kind=graph-chain
# holder: delta
"""Universal adversarial perturbation for a small classifier (Moosavi-Dezfooli style, one delta for all)."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--eps", type=float, default=0.3)
    p.add_argument("--alpha", type=float, default=0.01)
    p.add_argument("--iters", type=int, default=220)
    p.add_argument("--batch-size", type=int, default=128)
    return p.parse_args()


def make_classifier():
    net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))
    for p in net.parameters():
        p.requires_grad_(False)
    return net.eval()


def batches(n, bs):
    g = torch.Generator().manual_seed(3)
    for _ in range(n):
        yield torch.rand(bs, 64, generator=g), torch.randint(0, 10, (bs,), generator=g)


def main():
    args = get_args()
    torch.manual_seed(0)
    net = make_classifier()
    delta = torch.zeros(64, requires_grad=True)
    fooled = 0
    for i, (x, y) in enumerate(batches(args.iters, args.batch_size)):
        logits = net((x + delta).clamp(0, 1))
        loss = F.cross_entropy(logits, y)
        (g,) = torch.autograd.grad(loss, delta)
        delta = delta + args.alpha * g.sign()  # <- culprit
        delta = delta.clamp(-args.eps, args.eps)  # <- culprit
        fooled += (logits.argmax(1) != y).sum().item()
        if i % 50 == 0:
            print(f"[{i}] loss {loss.item():.4f} fooled {fooled / ((i + 1) * args.batch_size):.3f}")


if __name__ == "__main__":
    main()
