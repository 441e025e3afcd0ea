"""PCGrad (Yu et al., 2020)."""
import random

import torch


class GradientSurgeon:
    def __init__(self, params, seed):
        self.params = list(params)
        self.rng = random.Random(seed)

    def _flat_grads(self, losses):
        flats = []
        for i, loss in enumerate(losses):
            more = i < len(losses) - 1
            grads = torch.autograd.grad(loss, self.params, retain_graph=more, allow_unused=True)
            flats.append(torch.cat([
                (torch.zeros_like(p) if g is None else g).flatten()
                for p, g in zip(self.params, grads)
            ]))
        return flats

    def assign(self, losses):
        """Writes the combined gradient to the parameters; gives back the number of conflicts."""
        flats = self._flat_grads(losses)
        conflicts = 0
        combined = torch.zeros_like(flats[0])
        for i, own in enumerate(flats):
            own = own.clone()
            others = [j for j in range(len(flats)) if j != i]
            self.rng.shuffle(others)
            for j in others:
                dot = torch.dot(own, flats[j])
                if dot < 0:
                    conflicts += 1
                    own -= dot / flats[j].pow(2).sum() * flats[j]
            combined += own
        offset = 0
        for p in self.params:
            p.grad = combined[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()
        return conflicts
