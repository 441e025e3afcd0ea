import random

import torch

random.seed(5)


class ImagePool:
    """Returns, half of the time, an older fake instead of the newest one."""

    def __init__(self, size):
        self.size = size
        self.images = []

    def query(self, batch):
        out = []
        for img in batch.detach():
            if len(self.images) < self.size:
                self.images.append(img.clone())
                out.append(img)
            elif random.random() > 0.5:
                k = random.randrange(self.size)
                out.append(self.images[k])
                self.images[k] = img.clone()
            else:
                out.append(img)
        return torch.stack(out)
