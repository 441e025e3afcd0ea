import random

import torch


class ImagePool:
    """History of generated images (Shrivastava et al.), as in CycleGAN."""

    def __init__(self, size):
        self.size = size
        self.images = []
        self.rng = random.Random(0)

    def query(self, images):
        out = []
        for image in images.detach():
            if len(self.images) < self.size:
                self.images.append(image.clone())
                out.append(image)
            elif self.rng.random() > 0.5:
                k = self.rng.randrange(self.size)
                out.append(self.images[k])
                self.images[k] = image.clone()
            else:
                out.append(image)
        return torch.stack(out)
