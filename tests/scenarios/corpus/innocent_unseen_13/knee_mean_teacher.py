# gradwatch-corpus: kind=none
"""Semi-supervised cartilage segmentation: student, averaged teacher, activity regularisation through hooks."""
import copy
import math

import torch
import torch.nn.functional as F
from torch import nn

SIZE = 24


class SmallSegmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(nn.Conv2d(1, 10, 3, padding=1), nn.ReLU())
        self.b = nn.Sequential(nn.Conv2d(10, 10, 3, padding=2, dilation=2), nn.ReLU())
        self.c = nn.Conv2d(10, 1, 1)

    def forward(self, x):
        return self.c(self.b(self.a(x)))


class ActivityRegulariser:
    """Mean activation of the hooked layers, gathered during the forward pass and handed out once."""

    def __init__(self, layers, weight=1e-3):
        self.weight = weight
        self.collected = []
        for layer in layers:
            layer.register_forward_hook(self._collect)

    def _collect(self, module, args, output):
        if module.training and torch.is_grad_enabled():
            self.collected.append(output.abs().mean())

    def take(self):
        terms, self.collected = self.collected, []
        return self.weight * sum(terms)


class Teacher:
    def __init__(self, student, decay=0.98):
        self.net = copy.deepcopy(student).requires_grad_(False).eval()
        self.decay = decay

    @torch.no_grad()
    def follow(self, student):
        for t, s in zip(self.net.parameters(), student.parameters()):
            t.lerp_(s, 1 - self.decay)

    @torch.no_grad()
    def __call__(self, x):
        return torch.sigmoid(self.net(x))


class SliceArchive:
    """Sixteen labelled slices, made on first use and kept; unlabelled ones are made anew each time."""

    def __init__(self, labelled=16, seed=71):
        self.labelled = labelled
        self.store = {}
        self.g = torch.Generator().manual_seed(seed)
        axis = torch.linspace(-1, 1, SIZE)
        self.yy, self.xx = torch.meshgrid(axis, axis, indexing="ij")

    def make(self, n):
        r = 0.4 + 0.3 * torch.rand(n, 1, 1, generator=self.g)
        dist = (self.xx ** 2 + (self.yy + 0.3) ** 2).sqrt()
        mask = ((dist - r).abs() < 0.12).float()
        image = mask + 0.5 * torch.randn(mask.shape, generator=self.g)
        return image.unsqueeze(1), mask.unsqueeze(1)

    def __getitem__(self, i):
        if i not in self.store:
            self.store[i] = tuple(t[0] for t in self.make(1))
        return self.store[i]

    def batch(self, n=4):
        rows = torch.randint(self.labelled, (n,), generator=self.g).tolist()
        images, masks = zip(*(self[i] for i in rows))
        return torch.stack(images), torch.stack(masks)


def dice_loss(logits, mask):
    p = torch.sigmoid(logits)
    return 1 - (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.waited, self.weights = patience, -1.0, 0, None

    def update(self, score, net):
        if score > self.best:
            self.best, self.waited = score, 0
            self.weights = copy.deepcopy(net.state_dict())
        else:
            self.waited += 1
        return self.waited >= self.patience


def evaluate(teacher, archive):
    image, mask = archive.make(16)
    guess = teacher(image) > 0.5
    return (2 * (guess * mask).sum() / (guess.sum() + mask.sum())).item()


def main(steps=250):
    torch.manual_seed(71)
    student = SmallSegmenter()
    teacher, archive = Teacher(student), SliceArchive()
    activity = ActivityRegulariser([student.a, student.b])
    opt = torch.optim.Adam(student.parameters(), lr=4e-3)
    stopper = EarlyStopping(patience=50)
    totals = {"dice": 0.0, "consistency": 0.0}
    for step in range(1, steps + 1):
        image, mask = archive.batch()
        unlabelled, _ = archive.make(4)
        logits = student(torch.cat([image, unlabelled + 0.1 * torch.randn_like(unlabelled)]))
        supervised = dice_loss(logits[:4], mask)
        consistency = F.mse_loss(torch.sigmoid(logits[4:]), teacher(unlabelled))
        ramp = math.exp(-5 * (1 - min(1.0, step / 150)) ** 2)
        loss = supervised + ramp * consistency + activity.take()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        teacher.follow(student)
        totals["dice"] += supervised.detach()
        totals["consistency"] += consistency.detach()
        if step % 50 == 0:
            score = evaluate(teacher, archive)
            print(step, {k: f"{float(v) / 50:.4f}" for k, v in totals.items()}, f"teacher dice {score:.3f}")
            totals = dict.fromkeys(totals, 0.0)
            if stopper.update(score, teacher.net):
                break
    teacher.net.load_state_dict(stopper.weights)
    print(f"best teacher dice {stopper.best:.3f}")


if __name__ == "__main__":
    main()
