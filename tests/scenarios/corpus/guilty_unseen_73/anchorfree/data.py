import torch


class ShapesStream:
    """Endless stream of one-object images; every image has its own id."""

    def __init__(self, cfg):
        self.cfg = cfg

    def _image(self):
        c = self.cfg
        w, h = torch.randint(6, 16, (2,)).tolist()
        x = int(torch.randint(0, c.size - w, ()))
        y = int(torch.randint(0, c.size - h, ()))
        label = int(torch.randint(0, c.num_classes, ()))
        img = 0.1 * torch.randn(3, c.size, c.size)
        img[label, y : y + h, x : x + w] += 1.0
        return img, torch.tensor([x, y, x + w, y + h], dtype=torch.float32), label

    def __iter__(self):
        c = self.cfg
        for it in range(c.iters):
            imgs, boxes, labels = zip(*(self._image() for _ in range(c.batch)))
            yield {
                "images": torch.stack(imgs),
                "boxes": torch.stack(boxes),
                "labels": torch.tensor(labels),
                "ids": [it * c.batch + j for j in range(c.batch)],
            }
