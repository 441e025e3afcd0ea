# gradwatch-corpus: kind=none
"""Feed ranking with two heads (click, dwell time); task weights balanced by gradient norms."""
import argparse

import torch
from torch import nn
from torch.nn import functional as F


class FeedLog:
    def __init__(self, users, posts):
        self.u = torch.randn(users, 5)
        self.p = torch.randn(posts, 5)

    def batch(self, n):
        user = torch.randint(0, len(self.u), (n,))
        post = torch.randint(0, len(self.p), (n,))
        affinity = (self.u[user] * self.p[post]).sum(1)
        click = (torch.rand(n) < torch.sigmoid(affinity)).float()
        dwell = F.softplus(0.5 * affinity + 0.3 * torch.randn(n))
        return user, post, click, dwell


class FeedRanker(nn.Module):
    def __init__(self, users, posts, dim=12, width=24):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.post = nn.Embedding(posts, dim)
        self.shared = nn.Sequential(nn.Linear(3 * dim, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.click = nn.Linear(width, 1)
        self.dwell = nn.Linear(width, 1)

    def forward(self, user, post):
        u, p = self.user(user), self.post(post)
        h = self.shared(torch.cat([u, p, u * p], dim=1))
        return self.click(h).squeeze(1), self.dwell(h).squeeze(1)

    def shared_parameters(self):
        return [self.user.weight, self.post.weight, *self.shared.parameters()]


class NormBalancer:
    """Weights two tasks so that their gradients on the shared layers are about equally long."""

    def __init__(self, smoothing=0.9):
        self.smoothing = smoothing
        self.norms = {}

    def update(self, task, grads):
        norm = torch.cat([g.flatten() for g in grads]).norm().item()
        old = self.norms.get(task, norm)
        self.norms[task] = self.smoothing * old + (1 - self.smoothing) * norm

    def weights(self):
        mean = sum(self.norms.values()) / len(self.norms)
        return {task: mean / (norm + 1e-8) for task, norm in self.norms.items()}


def train_step(model, batch, balancer, optimizer):
    user, post, click, dwell = batch
    click_logit, dwell_pred = model(user, post)
    losses = {
        "click": F.binary_cross_entropy_with_logits(click_logit, click),
        "dwell": F.smooth_l1_loss(dwell_pred, dwell),
    }
    shared = model.shared_parameters()
    for task, loss in losses.items():
        balancer.update(task, torch.autograd.grad(loss, shared, retain_graph=True))
    weights = balancer.weights()

    optimizer.zero_grad()
    (weights["click"] * losses["click"]).backward(retain_graph=True)
    (weights["dwell"] * losses["dwell"]).backward()
    optimizer.step()
    return {task: loss.item() for task, loss in losses.items()}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(23)
    log = FeedLog(100, 150)
    model = FeedRanker(100, 150)
    balancer = NormBalancer()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    curve = []
    for step in range(args.steps):
        curve.append(train_step(model, log.batch(args.batch), balancer, optimizer))
        if (step + 1) % 50 == 0:
            mean = {k: round(sum(r[k] for r in curve[-50:]) / 50, 4) for k in curve[-1]}
            print(step + 1, mean, {k: round(w, 2) for k, w in balancer.weights().items()})


if __name__ == "__main__":
    main()
