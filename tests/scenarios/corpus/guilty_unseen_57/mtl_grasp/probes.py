"""Things that look at a step before its gradients are taken."""
import itertools

import torch


class Throughput:
    def __init__(self, batch):
        self.batch, self.seen = batch, 0

    def before_backward(self, step, losses):
        self.seen += self.batch


class ConflictProbe:
    """Cosine between the gradients that two tasks send into the shared trunk."""

    def __init__(self, trunk, every):
        self.params = list(trunk.parameters())
        self.every = every
        self.cosines = {}

    def _flat(self, loss):
        grads = torch.autograd.grad(loss, self.params)  # <- culprit
        return torch.cat([g.flatten() for g in grads])

    def before_backward(self, step, losses):
        if step == 0 or step % self.every:
            return
        flat = {k: self._flat(v) for k, v in losses.items()}
        for a, b in itertools.combinations(flat, 2):
            self.cosines[a, b] = torch.cosine_similarity(flat[a], flat[b], dim=0).item()
