from typing import NamedTuple

import torch


class Crop(NamedTuple):
    iteration: int
    score: torch.Tensor
    prob: torch.Tensor


class ConfusionGallery:
    """Keeps the most confusing picture of every `every`-th batch for the report at the end."""

    def __init__(self, every):
        self.every = every
        self.items = []

    def __len__(self):
        return len(self.items)

    def wants(self, iteration):
        return iteration % self.every == self.every - 1

    def offer(self, iteration, per_image, prob):
        if not self.wants(iteration):
            return
        j = int(per_image.argmax())
        self.items.append(Crop(iteration, per_image[j], prob[j]))  # <- culprit

    def worst(self, k):
        ranked = sorted(self.items, key=lambda c: c.score.item(), reverse=True)
        return [(c.iteration, c.score.item(), c.prob.mean().item()) for c in ranked[:k]]
