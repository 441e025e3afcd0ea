# gradwatch-corpus: kind=none
import math
from collections import defaultdict

import torch
import torch.nn as nn

from builder import MoCo

torch.manual_seed(21)


class TwoCrops:
    def __init__(self, sigma=0.3, drop=0.2):
        self.sigma, self.drop = sigma, drop

    def aug(self, x):
        mask = (torch.rand_like(x) > self.drop).float()
        return x * mask + self.sigma * torch.randn_like(x)

    def __call__(self, x):
        return self.aug(x), self.aug(x)


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum = self.count = self.avg = 0.0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def accuracy(output, target, topk=(1, 5)):
    with torch.no_grad():
        _, pred = output.topk(max(topk), 1)
        correct = pred.eq(target.view(-1, 1))
        return [100.0 * correct[:, :k].any(1).float().mean() for k in topk]


def adjust_learning_rate(optimizer, epoch, epochs, base=0.05):
    lr = base * 0.5 * (1 + math.cos(math.pi * epoch / epochs))
    for group in optimizer.param_groups:
        group["lr"] = lr


def main():
    centers = torch.randn(50, 32)
    dataset = centers[torch.randint(0, 50, (2560,))] + 0.2 * torch.randn(2560, 32)
    loader = torch.utils.data.DataLoader(dataset, batch_size=32, shuffle=True, drop_last=True)
    transform = TwoCrops()
    model = MoCo()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
    history = defaultdict(list)
    epochs = 6
    for epoch in range(epochs):
        adjust_learning_rate(optimizer, epoch, epochs)
        losses, top1, top5 = AverageMeter(), AverageMeter(), AverageMeter()
        for images in loader:
            im_q, im_k = transform(images)
            output, target = model(im_q, im_k)
            loss = criterion(output, target)
            acc1, acc5 = accuracy(output, target)
            losses.update(loss.item(), images.size(0))
            top1.update(acc1, images.size(0))
            top5.update(acc5, images.size(0))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        history["loss"].append(losses.avg)
        history["top1"].append(top1.avg)
        print(f"epoch {epoch} loss {losses.avg:.4f} top1 {top1.avg:.2f} top5 {top5.avg:.2f}")


if __name__ == "__main__":
    main()
