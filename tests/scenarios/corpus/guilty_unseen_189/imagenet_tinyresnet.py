# gradwatch-corpus: kind=graph-held
# holder: losses.sum | self.sum | losses.avg | self.avg | self.losses.sum
# first-bad: 1
import argparse
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class AverageMeter:
    """Keeps the current value, the sum and the running mean of a quantity."""

    def __init__(self, name, fmt=":.3f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum = self.sum + val * n  # <- culprit
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        spec = "{name} {val" + self.fmt + "} ({avg" + self.fmt + "})"
        return spec.format(name=self.name, val=float(self.val), avg=float(self.avg))


class ProgressMeter:
    def __init__(self, total, meters, prefix=""):
        self.total, self.meters, self.prefix = total, meters, prefix

    def display(self, i):
        print("\t".join([f"{self.prefix}[{i}/{self.total}]"] + [str(m) for m in self.meters]))


class Block(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.down = nn.Conv2d(cin, cout, 1, stride, bias=False)

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(y)) + self.down(x))


def tiny_resnet(classes):
    return nn.Sequential(Block(3, 8, 2), Block(8, 16, 2), nn.AdaptiveAvgPool2d(1),
                         nn.Flatten(), nn.Linear(16, classes))


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        _, pred = output.topk(max(topk), 1)
        hit = pred.eq(target.view(-1, 1))
        return [hit[:, :k].any(1).float().mean() * 100 for k in topk]


def synthetic_loader(n_batches, bs, classes, seed):
    gen = torch.Generator().manual_seed(seed)
    protos = torch.randn(classes, 3, 16, 16, generator=gen)
    for _ in range(n_batches):
        y = torch.randint(classes, (bs,), generator=gen)
        yield protos[y] + 0.7 * torch.randn(bs, 3, 16, 16, generator=gen), y


def train(model, criterion, optimizer, scheduler, args):
    batch_time = AverageMeter("Time", ":.4f")
    losses = AverageMeter("Loss", ":.4f")
    top1 = AverageMeter("Acc@1", ":.2f")
    top5 = AverageMeter("Acc@5", ":.2f")
    progress = ProgressMeter(args.iters, [batch_time, losses, top1, top5], "Train ")
    model.train()
    end = time.time()
    for i, (images, target) in enumerate(synthetic_loader(args.iters, args.batch_size, 10, args.seed)):
        output = model(images)
        loss = criterion(output, target)
        acc1, acc5 = accuracy(output, target, (1, 5))
        losses.update(loss, images.size(0))  # <- culprit
        top1.update(acc1.item(), images.size(0))
        top5.update(acc5.item(), images.size(0))

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()

        batch_time.update(time.time() - end)
        end = time.time()
        if i % args.print_freq == 0:
            progress.display(i)
    return top1.avg


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=450)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=3)
    p.add_argument("--print-freq", type=int, default=100)
    args = p.parse_args()
    torch.manual_seed(args.seed)
    net = tiny_resnet(10)
    opt = torch.optim.SGD(net.parameters(), args.lr, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.StepLR(opt, 200, 0.1)
    print("final acc@1", train(net, nn.CrossEntropyLoss(), opt, sched, args))
