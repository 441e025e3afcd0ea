import torch


class ConflictSurgeon:
    """Projects every task's gradient in the shared layers away from those it conflicts with."""

    def __init__(self, shared):
        self.shared = list(shared)
        self.conflicts = 0

    def _flat(self):
        return torch.cat([p.grad.flatten() for p in self.shared])

    def backward(self, losses):
        flats, left = [], len(losses)
        for loss in losses.values():
            left -= 1
            for p in self.shared:
                p.grad = None
            loss.backward(retain_graph=left > 0)
            flats.append(self._flat())
        merged = torch.zeros_like(flats[0])
        for i, g in enumerate(flats):
            g = g.clone()
            for j, other in enumerate(flats):
                dot = g @ other
                if i != j and dot < 0:
                    self.conflicts += 1
                    g -= dot / (other @ other + 1e-12) * other
            merged += g
        self._scatter(merged)

    def _scatter(self, flat):
        at = 0
        for p in self.shared:
            p.grad = flat[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
