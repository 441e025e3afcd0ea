# gradwatch-corpus: kind=graph-held
# also: graph-unused
# holder: self.sum | losses.sum | meter.sum | self.avg | losses.avg | meter.avg | self.val | losses.val
import argparse
import time

import torch
import torch.nn as nn

from utils.meters import AverageMeter, accuracy


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("-b", "--batch-size", default=128, type=int)
    parser.add_argument("--print-freq", default=50, type=int)
    parser.add_argument("--steps", default=240, type=int)
    return parser.parse_args()


def loader(steps, bs):
    proto = torch.randn(10, 3 * 8 * 8)
    for _ in range(steps):
        y = torch.randint(10, (bs,))
        yield (proto[y] + torch.randn(bs, 192)).view(bs, 3, 8, 8), y


def train(args, model, criterion, optimizer):
    batch_time, losses, top1 = AverageMeter("Time"), AverageMeter("Loss"), AverageMeter("Acc@1")
    model.train()
    end = time.time()
    for i, (images, target) in enumerate(loader(args.steps, args.batch_size)):
        output = model(images)
        loss = criterion(output, target)
        losses.update(loss, images.size(0))  # <- culprit
        top1.update(accuracy(output, target), images.size(0))

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        batch_time.update(time.time() - end)
        end = time.time()
        if i % args.print_freq == 0:
            print(f"Epoch: [0][{i}] {batch_time} {losses} {top1}")


if __name__ == "__main__":
    args = parse()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                          nn.Linear(8 * 16, 64), nn.ReLU(), nn.Linear(64, 10))
    train(args, model, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), 0.01, momentum=0.9))
