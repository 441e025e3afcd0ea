# gradwatch-corpus: kind=inplace-modified
# holder: self.model.head.weight | model.head.weight | p
# first-bad: 10
# notice: 0
"""Semi-supervised cell segmentation with an averaged teacher.

Only one set of modules is kept: the averaged weights live in a dict and are
borrowed by the model for the teacher's prediction.  The consistency term
starts after `--consistency-from` steps.
"""
import argparse
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn


class SmallUNet(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.enc = nn.Conv2d(1, ch, 3, padding=1)
        self.down = nn.Conv2d(ch, 2 * ch, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(2 * ch, ch, 2, stride=2)
        self.head = nn.Conv2d(2 * ch, 1, 1)

    def forward(self, x):
        e = F.relu(self.enc(x))
        d = F.relu(self.up(F.relu(self.down(e))))
        return self.head(torch.cat([e, d], 1))


class WeightAverage:
    """Exponential average of a model's parameters."""

    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters()}

    @torch.no_grad()
    def update(self, model):
        for n, p in model.named_parameters():
            self.shadow[n].lerp_(p, 1 - self.decay)

    @contextmanager
    def borrowed_by(self, model):
        own = {n: p.detach().clone() for n, p in model.named_parameters()}
        self._write(model, self.shadow)
        try:
            yield model
        finally:
            self._write(model, own)

    @staticmethod
    @torch.no_grad()
    def _write(model, values):
        for n, p in model.named_parameters():
            p.copy_(values[n])  # <- culprit


class CellImages:
    def __init__(self, size, seed):
        self.size = size
        self.gen = torch.Generator().manual_seed(seed)
        self.yy, self.xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")

    def sample(self, n):
        masks = []
        for _ in range(n):
            cy, cx = torch.randint(6, self.size - 6, (2,), generator=self.gen)
            r = torch.randint(3, 6, (1,), generator=self.gen)
            masks.append(((self.yy - cy) ** 2 + (self.xx - cx) ** 2 < r * r).float())
        mask = torch.stack(masks)[:, None]
        image = mask * 0.8 + 0.3 * torch.randn(mask.shape, generator=self.gen)
        return image, mask


class SemiSupervised:
    def __init__(self, model, lr, consistency_from, weight=0.5):
        self.model = model
        self.average = WeightAverage(model, 0.95)
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.consistency_from, self.weight = consistency_from, weight

    def teacher_prediction(self, image):
        with self.average.borrowed_by(self.model) as teacher, torch.no_grad():
            return torch.sigmoid(teacher(image))

    def consistency(self, student_logits, image):
        target = self.teacher_prediction(image + 0.05 * torch.randn_like(image))  # <- culprit
        return F.mse_loss(torch.sigmoid(student_logits), target)

    def step(self, it, labelled, unlabelled):
        image, mask = labelled
        loss = F.binary_cross_entropy_with_logits(self.model(image), mask)
        if it >= self.consistency_from:
            extra = unlabelled[0]
            loss = loss + self.weight * self.consistency(self.model(extra), extra)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.average.update(self.model)
        return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--consistency-from", type=int, default=10)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(5)
    data = CellImages(24, 6)
    job = SemiSupervised(SmallUNet(), 3e-3, args.consistency_from)
    for it in range(args.steps):
        value = job.step(it, data.sample(4), data.sample(6))
        print(f"{it:03d} {value:.4f}")


if __name__ == "__main__":
    main()
