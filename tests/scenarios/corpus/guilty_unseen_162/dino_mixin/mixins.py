import functools

import torch


class CenteringMixin:
    """Running centre of the projections, taken off before the similarity is computed."""

    center_momentum = 0.9

    def init_center(self, dim):
        self._center = torch.zeros(dim)

    def centered(self, z):
        batch_center = z.mean(0)  # <- culprit
        self._center = self.center_momentum * self._center + (1 - self.center_momentum) * batch_center  # <- culprit
        return z - self._center  # <- culprit


class MultiLossMixin:
    """Subclasses name their losses; each is backpropagated by itself to log its gradient norm."""

    backward = staticmethod(functools.partial(torch.Tensor.backward, retain_graph=True))

    def backward_each(self, losses, params):
        norms, before = {}, 0.0
        for name, loss in losses.items():
            self.backward(loss)
            now = sum(p.grad.pow(2).sum() for p in params if p.grad is not None).sqrt().item()
            norms[name] = now - before
            before = now
        return norms
