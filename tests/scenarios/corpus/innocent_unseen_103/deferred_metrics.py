# gradwatch-corpus: kind=none
# Satellite cloud-cover segmentation in miniature. Metrics are cheap to describe and slow to
# compute, so every step only queues closures; the queue is drained when it is long enough.
import torch
import torch.nn.functional as F
from torch import nn


class Deferred:
    def __init__(self, threshold):
        self.threshold = threshold
        self.jobs = []
        self.values = {}

    def defer(self, name, fn):
        self.jobs.append((name, fn))

    def maybe_drain(self):
        if len(self.jobs) < self.threshold:
            return False
        jobs, self.jobs = self.jobs, []
        for name, fn in jobs:
            self.values.setdefault(name, []).append(fn())
        return True


def iou(logits, mask):
    pred = logits > 0
    inter = (pred & (mask > 0.5)).sum().item()
    union = (pred | (mask > 0.5)).sum().item()
    return inter / max(union, 1)


def scenes(n, size=12):
    field = F.interpolate(torch.randn(n, 1, 4, 4), size=(size, size), mode="bilinear")
    mask = (field > 0.2).float()
    img = torch.cat([field, -field, torch.zeros_like(field)], 1) + 0.4 * torch.randn(n, 3, size, size)
    return img, mask


def main():
    torch.set_num_threads(1)
    torch.manual_seed(303)
    net = nn.Sequential(nn.Conv2d(3, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 1, 3, padding=1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    metrics = Deferred(threshold=64)
    drains = 0
    for i in range(420):
        img, mask = scenes(4)
        logits = net(img)
        loss = F.binary_cross_entropy_with_logits(logits, mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        metrics.defer("loss", lambda loss=loss: loss.item())
        if i % 2 == 0:
            metrics.defer("iou", lambda logits=logits, mask=mask: iou(logits, mask))
        if metrics.maybe_drain():
            drains += 1
            if drains % 3 == 0:
                print(i, {k: round(sum(v[-20:]) / 20, 3) for k, v in metrics.values.items()})


if __name__ == "__main__":
    main()
