# gradwatch-corpus: kind=graph-held
# holder: losses.sum | self.sum | losses.val | losses.avg | self.avg
# about: the well-known AverageMeter, fed with tensors that have a graph
import torch
from meters import AverageMeter, ProgressMeter
from torch import nn


def synthetic_loader(n_batches, batch_size=16):
    for _ in range(n_batches):
        x = torch.randn(batch_size, 3, 8, 8)
        yield x, (x.mean(dim=(1, 2, 3)) > 0).long()


def train(loader, model, criterion, optimizer, epoch):
    losses = AverageMeter("Loss", ":.4e")
    top1 = AverageMeter("Acc@1", ":6.2f")
    progress = ProgressMeter(60, [losses, top1], prefix=f"Epoch: [{epoch}]")
    model.train()
    for i, (images, target) in enumerate(loader):
        output = model(images)
        loss = criterion(output, target)
        losses.update(loss, images.size(0))  # <- culprit
        top1.update((output.argmax(1) == target).float().mean().item(), images.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 20 == 0:
            progress.display(i)


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 2),
    )
    sgd = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    train(synthetic_loader(60), net, nn.CrossEntropyLoss(), sgd, epoch=0)
