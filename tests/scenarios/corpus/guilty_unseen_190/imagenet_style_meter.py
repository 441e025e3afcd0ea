# gradwatch-corpus: kind=graph-held
# holder: self.sum | losses.sum | losses
# first-bad: 1
# adapted from the imagenet example
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self, name, fmt=':f'):
        self.name = name
        self.fmt = fmt
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum = self.sum + val * n
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        fmtstr = '{name} {val' + self.fmt + '} ({avg' + self.fmt + '})'
        return fmtstr.format(name=self.name, val=float(self.val), avg=float(self.avg))


class BasicBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1 = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(c)
        self.conv2 = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(c)

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(out)) + x)


def make_model():
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), BasicBlock(8), nn.MaxPool2d(2),
                         BasicBlock(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))


def topk_acc(output, target, k=1):
    _, pred = output.topk(k, 1)
    return pred.eq(target.view(-1, 1)).any(1).float().mean().item() * 100


def train(train_loader, model, criterion, optimizer, epochs):
    batch_time = AverageMeter('Time', ':6.3f')
    losses = AverageMeter('Loss', ':.4e')
    top1 = AverageMeter('Acc@1', ':6.2f')
    model.train()
    end = time.time()
    for epoch in range(epochs):
        for i, (images, target) in enumerate(train_loader):
            output = model(images)
            loss = criterion(output, target)

            losses.update(loss, images.size(0))  # <- culprit
            top1.update(topk_acc(output, target), images.size(0))

            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

            batch_time.update(time.time() - end)
            end = time.time()
            if i % 20 == 0:
                print(f"Epoch [{epoch}][{i}/{len(train_loader)}]", batch_time, losses, top1, sep="\t")


def main():
    torch.manual_seed(8)
    y = torch.randint(0, 5, (640,))
    x = torch.randn(640, 3, 8, 8)
    x[torch.arange(640), y % 3] += (y.float() - 2).view(-1, 1, 1)
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
    train(loader, model, nn.CrossEntropyLoss(), optimizer, epochs=11)


if __name__ == '__main__':
    main()
