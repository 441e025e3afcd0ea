# gradwatch-corpus: kind=crashed
# first-bad: 729
# notice: 0
import random
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 8, 3, 2, 1), nn.ReLU())
        self.objectness = nn.Conv2d(8, 1, 1)
        self.box = nn.Conv2d(8, 4, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.objectness(h).squeeze(1), self.box(h)


class Frames(torch.utils.data.IterableDataset):
    def __init__(self, rng):
        self.rng = rng

    def __iter__(self):
        while True:
            img = torch.randn(1, 24, 24) * 0.2
            boxes = []
            while self.rng.random() < 0.55 and len(boxes) < 3:
                cx, cy = self.rng.randrange(3, 21), self.rng.randrange(3, 21)
                img[:, cy - 2:cy + 2, cx - 2:cx + 2] += 1.5
                boxes.append((cx / 24, cy / 24, 4 / 24, 4 / 24))
            yield img, boxes


def collate(items):
    return torch.stack([i for i, _ in items]), [b for _, b in items]


def frame_terms(obj, box, gt):
    """Balanced objectness and box terms of one frame."""
    n = obj.shape[-1]
    pos = torch.zeros_like(obj, dtype=torch.bool)
    fit = []
    for cx, cy, w, h in gt:
        i, j = int(cy * n), int(cx * n)
        pos[i, j] = True
        fit.append(F.smooth_l1_loss(box[:, i, j], torch.tensor([cx, cy, w, h])))
    hardest = obj[~pos].topk(3 * len(gt)).values
    cls = F.softplus(-obj[pos]).sum() + F.softplus(hardest).sum()
    return cls / len(gt), sum(fit) / len(gt)


def criterion(obj, box, truth, weights=(1.0, 4.0)):
    total = torch.zeros(())  # <- culprit
    used = 0
    for o, b, gt in zip(obj, box, truth):
        if not gt:
            continue
        cls, reg = frame_terms(o, b, gt)
        total = total + weights[0] * cls + weights[1] * reg
        used += 1
    return total / max(used, 1)


def main():
    torch.manual_seed(5)
    net = Cells()
    opt = torch.optim.Adam(net.parameters(), 2e-3)
    loader = torch.utils.data.DataLoader(Frames(random.Random(12)), batch_size=6, collate_fn=collate)
    for it, (img, truth) in enumerate(loader):
        obj, box = net(img)
        loss = criterion(obj, box, truth)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 40 == 0:
            print(it, loss.item())
        if it == 4000:
            break


main()
