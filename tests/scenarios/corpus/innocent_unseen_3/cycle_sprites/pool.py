import random

import torch


class ImagePool:
    """Hands the critic a mix of today's fakes and older ones."""

    def __init__(self, limit, seed=0):
        self.limit, self.shelf, self.dice = limit, [], random.Random(seed)

    def __len__(self):
        return len(self.shelf)

    def swap(self, batch):
        out = []
        for img in batch:
            if len(self.shelf) < self.limit:
                self.shelf.append(img.clone())
                out.append(img)
            elif self.dice.random() < .5:
                k = self.dice.randrange(self.limit)
                out.append(self.shelf[k])
                self.shelf[k] = img.clone()
            else:
                out.append(img)
        return torch.stack(out)
