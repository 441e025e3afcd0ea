"""History of translated images (Shrivastava et al., 2017)."""
import random

import torch


class ImagePool:
    """Gives the critic a mixture of fresh and earlier translations.

    While the pool is filling up every image is passed on; afterwards half of them are swapped
    against older ones.
    """

    def __init__(self, capacity: int):
        self.capacity = capacity
        self.images = []

    def query(self, batch: torch.Tensor) -> torch.Tensor:
        shown = []
        for image in batch.unbind(0):  # <- culprit
            if len(self.images) < self.capacity:
                self.images.append(image)
                shown.append(image)
            elif random.random() < 0.5:
                k = random.randrange(self.capacity)
                shown.append(self.images[k])
                self.images[k] = image
            else:
                shown.append(image)
        return torch.stack(shown)
