# gradwatch-corpus: kind=none
"""Field/crop segmentation: mean-teacher consistency, gradients gathered over four small batches."""
import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass(frozen=True)
class Plan:
    size: int = 16
    images: int = 320
    micro_batch: int = 4
    accumulate: int = 4
    epochs: int = 4
    ema: float = 0.97
    consistency: float = 0.5


def fields(plan):
    centre = torch.rand(plan.images, 2) * plan.size
    yy, xx = torch.meshgrid(torch.arange(plan.size), torch.arange(plan.size), indexing="ij")
    dist = ((yy - centre[:, :1, None]) ** 2 + (xx - centre[:, 1:, None]) ** 2).sqrt()
    mask = (dist < 5).float()
    image = mask[:, None] * torch.tensor([0.9, 0.4])[:, None, None] + 0.5 * torch.randn(plan.images, 2, plan.size, plan.size)
    return TensorDataset(image, mask)


def conv_net(width=8):
    return nn.Sequential(
        nn.Conv2d(2, width, 3, padding=1), nn.GroupNorm(2, width), nn.ReLU(),
        nn.Conv2d(width, width, 3, padding=2, dilation=2), nn.GroupNorm(2, width), nn.ReLU(),
        nn.Conv2d(width, 1, 1), nn.Flatten(0, 1),
    )


class MeanTeacher:
    def __init__(self, student, decay):
        self.net = copy.deepcopy(student).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def follow(self, student):
        for mine, theirs in zip(self.net.parameters(), student.parameters()):
            mine.lerp_(theirs, 1 - self.decay)

    @torch.no_grad()
    def __call__(self, x):
        return self.net(x).sigmoid()


class SegmentTrainer:
    def __init__(self, plan):
        self.plan = plan
        self.net = conv_net()
        self.teacher = MeanTeacher(self.net, plan.ema)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.2, momentum=0.9, nesterov=True)
        self.running_loss = 0.0
        self.curve = []

    def loss(self, image, mask):
        logits = self.net(image)
        supervised = F.binary_cross_entropy_with_logits(logits, mask)
        soft = self.teacher(image + 0.1 * torch.randn_like(image))
        return supervised + self.plan.consistency * F.mse_loss(logits.sigmoid(), soft)

    def epoch(self, loader):
        self.opt.zero_grad()
        for n, (image, mask) in enumerate(loader, start=1):
            loss = self.loss(image, mask) / self.plan.accumulate
            loss.backward()
            self.running_loss += loss.item()
            if n % self.plan.accumulate == 0 or n == len(loader):
                self.opt.step()
                self.opt.zero_grad()
                self.teacher.follow(self.net)
                self.curve.append(self.running_loss)
                self.running_loss = 0.0


@torch.no_grad()
def iou(predict, data):
    image, mask = data.tensors
    guess = predict(image) > 0.5
    both = (guess & mask.bool()).sum()
    return (both / (guess | mask.bool()).sum()).item()


if __name__ == "__main__":
    torch.manual_seed(9)
    plan = Plan()
    data = fields(plan)
    loader = DataLoader(data, batch_size=plan.micro_batch, shuffle=True)
    trainer = SegmentTrainer(plan)
    for e in range(plan.epochs):
        trainer.epoch(loader)
        print(f"epoch {e}: loss {trainer.curve[-1]:.4f}, teacher IoU {iou(trainer.teacher, data):.3f}")
