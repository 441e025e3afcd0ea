import torch
from torch.nn import functional as F


def fit(model, feed, steps, bs=64):
    opt = torch.optim.SGD(model.parameters(), lr=2.0)
    for s in range(steps):
        u, i, y = feed(bs)
        loss = F.binary_cross_entropy_with_logits(model(u, i), y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if s % 28 == 0:
            print(s, f"{loss.item():.4f}")
