# gradwatch-corpus: kind=none
# MAML (second order) for few-shot dose-response curves of unseen compounds.
from collections import OrderedDict

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class Compounds:
    """Hill curves with random potency, slope and plateau."""

    def sample(self, k_support, k_query):
        ec50 = torch.empty(1).uniform_(-1.5, 1.5)
        slope = torch.empty(1).uniform_(0.8, 3.0)
        top = torch.empty(1).uniform_(0.5, 1.5)
        x = torch.empty(k_support + k_query, 1).uniform_(-3, 3)
        y = top * torch.sigmoid(slope * (x - ec50)) + 0.02 * torch.randn_like(x)
        return (x[:k_support], y[:k_support]), (x[k_support:], y[k_support:])


class CurveNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x))


def adapt(model, support, steps, lr, second_order=True):
    x, y = support
    fast = OrderedDict(model.named_parameters())
    trace = []
    for _ in range(steps):
        loss = F.mse_loss(functional_call(model, fast, (x,)), y)
        grads = torch.autograd.grad(loss, fast.values(), create_graph=second_order)
        fast = OrderedDict((n, p - lr * g) for (n, p), g in zip(fast.items(), grads))
        trace.append(loss.item())
    return fast, trace


def meta_validate(model, tasks, n, steps, lr):
    pre, post = [], []
    for _ in range(n):
        support, (xq, yq) = tasks.sample(8, 20)
        fast, _ = adapt(model, support, steps, lr, second_order=False)
        with torch.no_grad():
            pre.append(F.mse_loss(model(xq), yq).item())
            post.append(F.mse_loss(functional_call(model, fast, (xq,)), yq).item())
    return np.mean(pre), np.mean(post)


def main():
    torch.manual_seed(31)
    torch.set_num_threads(1)
    tasks, model = Compounds(), CurveNet()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    history = {"meta_loss": [], "inner": []}
    for epoch in range(5):
        for _ in range(64):
            meta_loss = 0.0
            for _ in range(2):
                support, (xq, yq) = tasks.sample(8, 12)
                fast, trace = adapt(model, support, steps=2, lr=0.05)
                meta_loss = meta_loss + F.mse_loss(functional_call(model, fast, (xq,)), yq)
                history["inner"].append(trace[0] - trace[-1])
            meta_loss = meta_loss / 2
            opt.zero_grad()
            meta_loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            history["meta_loss"].append(meta_loss.item())
        pre, post = meta_validate(model, tasks, n=15, steps=5, lr=0.05)
        print(f"epoch {epoch} meta {np.mean(history['meta_loss'][-64:]):.4f} "
              f"inner gain {np.mean(history['inner'][-128:]):.4f} val before {pre:.4f} after {post:.4f}")


if __name__ == "__main__":
    main()
