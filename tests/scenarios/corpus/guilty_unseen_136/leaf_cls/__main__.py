# gradwatch-corpus: kind=graph-held
# holder: self.sum | self.avg | losses.avg | losses.sum | meters["loss"].sum | progress.meters["loss"].sum
# first-bad: 1
# notice: 8
"""Small plant-leaf disease classifier, after the ImageNet example."""
import torch
import torch.nn as nn

from .data import make_loader
from .meters import AverageMeter, ProgressMeter, accuracy
from .net import LeafNet

torch.set_num_threads(1)


def train(loader, model, criterion, optimizer, epoch, progress):
    losses, top1 = progress.meters["loss"], progress.meters["acc"]
    model.train()
    for i, (images, target) in enumerate(loader):
        output = model(images)
        loss = criterion(output, target)

        acc1 = accuracy(output, target)
        losses.update(loss, images.size(0))  # <- culprit
        top1.update(acc1, images.size(0))

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        if i % 20 == 0:
            progress.display(epoch, i)


def adjust_learning_rate(optimizer, epoch, base):
    lr = base * (0.5 ** (epoch // 4))
    for group in optimizer.param_groups:
        group["lr"] = lr


def main():
    torch.manual_seed(7)
    loader = make_loader(n=640, batch=16)
    model = LeafNet(n_classes=4)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
    progress = ProgressMeter(len(loader), loss=AverageMeter("Loss", ":.4e"), acc=AverageMeter("Acc@1", ":6.2f"))
    for epoch in range(8):
        adjust_learning_rate(optimizer, epoch, 0.05)
        train(loader, model, criterion, optimizer, epoch, progress)
    print("final average acc %.2f" % progress.meters["acc"].avg)


if __name__ == "__main__":
    main()
