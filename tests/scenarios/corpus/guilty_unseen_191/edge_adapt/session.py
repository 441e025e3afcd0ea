import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


def build_backbone(in_dim, hidden, classes):
    return nn.Sequential(
        nn.Linear(in_dim, hidden),
        nn.GELU(),
        nn.LayerNorm(hidden),
        nn.Linear(hidden, classes),
    )


class AdaptSession:
    """Online adaptation on a copy of the shipped weights.

    Every `commit_every` updates the candidate weights are compared with the
    committed ones on a small guard set; a regression rolls the session back.
    """

    def __init__(self, backbone, lr, commit_every, tolerance):
        self.backbone = backbone
        self.lr = lr
        self.commit_every = commit_every
        self.tolerance = tolerance
        self.weights = {
            name: p.detach().clone().requires_grad_()
            for name, p in backbone.named_parameters()
        }
        self.committed = self.weights
        self.guard = None
        self.guard_loss = float("inf")
        self.updates = 0
        self.rollbacks = 0

    def forward(self, weights, x):
        return functional_call(self.backbone, weights, (x,))

    @torch.no_grad()
    def score_guard(self):
        gx, gy = self.guard
        return F.cross_entropy(self.forward(self.weights, gx), gy).item()

    def maybe_commit(self):
        score = self.score_guard()
        if score > self.tolerance * self.guard_loss:
            self.weights = dict(self.committed)
            self.rollbacks += 1
            return
        self.committed = dict(self.weights)
        self.guard_loss = score

    def step(self, x, y):
        logits = self.forward(self.weights, x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.05)
        grads = torch.autograd.grad(loss, list(self.weights.values()))
        self.weights = {
            name: w - self.lr * g.clamp(-1.0, 1.0)  # <- culprit
            for (name, w), g in zip(self.weights.items(), grads)
        }
        self.updates += 1
        self.guard = (x, y)
        if self.updates % self.commit_every == 0:
            self.maybe_commit()
        hits = (logits.argmax(1) == y).sum().item()
        return loss.item(), hits
