# gradwatch-corpus: kind=graph-held
# holder: self.sum | losses.sum | meter.sum | meters["loss"].sum
# first-bad: 1
"""Texture classification baseline."""
import torch
from torch.utils.data import DataLoader

from tn.data import TextureSet
from tn.meters import AverageMeter, accuracy
from tn.model import TextureNet


def train_one_epoch(model, loader, criterion, optimizer, meters, epoch, print_freq=20):
    model.train()
    for i, (images, target) in enumerate(loader):
        output = model(images)
        loss = criterion(output, target)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        meters["loss"].update(loss, images.size(0))  # <- culprit
        meters["acc"].update(accuracy(output, target), images.size(0))
        if i % print_freq == 0:
            print(f"[{epoch}][{i}/{len(loader)}] {meters['loss']} {meters['acc']}")


def main():
    torch.manual_seed(0)
    train_set = TextureSet(800, size=16, seed=1)
    loader = DataLoader(train_set, batch_size=16, shuffle=True)
    model = TextureNet(width=12, classes=4)
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=9)
    meters = {"loss": AverageMeter("loss"), "acc": AverageMeter("acc")}
    for epoch in range(9):
        train_one_epoch(model, loader, criterion, optimizer, meters, epoch)
        sched.step()


if __name__ == "__main__":
    main()
