import contextlib

import torch


class Accelerator:
    """Sums gradients over micro-batches and steps on the last one."""

    def __init__(self, model, optimizer, micro_batches, clip):
        self.model = model
        self.optimizer = optimizer
        self.micro_batches = micro_batches
        self.clip = clip
        self.seen = 0
        self.updates = 0
        self.pending = []

    @property
    def boundary(self):
        return self.seen % self.micro_batches == 0

    @contextlib.contextmanager
    def accumulate(self):
        self.seen += 1
        yield self
        if self.boundary:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            self.updates += 1
            self.pending.clear()

    def backward(self, loss):
        self.pending.append(loss.detach())
        (loss / self.micro_batches).backward()

    def window_loss(self):
        return torch.stack(self.pending).mean()
