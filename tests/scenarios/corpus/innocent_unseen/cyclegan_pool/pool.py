import random

import torch


class ImagePool:
    def __init__(self, size):
        self.size, self.images = size, []

    def query(self, images):
        out = []
        for image in images:
            image = image.data.unsqueeze(0)
            if len(self.images) < self.size:
                self.images.append(image.clone())
                out.append(image)
            elif random.random() > 0.5:
                k = random.randrange(self.size)
                out.append(self.images[k])
                self.images[k] = image.clone()
            else:
                out.append(image)
        return torch.cat(out)
