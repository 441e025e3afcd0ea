import random

import torch


class ImagePool:
    """A history of generated images, shown to the discriminator half of the time."""

    def __init__(self, pool_size):
        self.pool_size, self.images = pool_size, []
        self.rng = random.Random(0)

    def query(self, images):
        out = []
        for image in images.unsqueeze(1):
            if len(self.images) < self.pool_size:
                self.images.append(image)
                out.append(image)
            elif self.rng.random() > 0.5:
                k = self.rng.randrange(self.pool_size)
                out.append(self.images[k])
                self.images[k] = image
            else:
                out.append(image)
        return torch.cat(out)
