# gradwatch-corpus: kind=graph-held
# holder: self.mat | confusion.mat | metric.mat | self.confusion.mat | metrics["confusion"].mat
# first-bad: 1
"""Segmentation of synthetic microscopy images (background, cell body,
nucleus), practical work of the image analysis course, group 4."""
import torch
import torch.nn as nn

from engine import evaluate, train_one_epoch
from metrics import SoftConfusion

CLASSES = ["background", "body", "nucleus"]
SIZE = 24


def conv_block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(),
    )


class SmallUNet(nn.Module):
    def __init__(self, n_classes, width=8):
        super().__init__()
        self.enc1 = conv_block(1, width)
        self.enc2 = conv_block(width, 2 * width)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.dec = conv_block(2 * width, width)
        self.head = nn.Conv2d(width, n_classes, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(self.pool(a))
        c = torch.cat([a, self.up(b)], dim=1)
        return self.head(self.dec(c))


class CellDataset:
    """draws discs with a smaller disc inside"""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
        images, labels = [], []
        for _ in range(n):
            label = torch.zeros(SIZE, SIZE, dtype=torch.long)
            for _ in range(2):
                cy, cx = torch.randint(5, SIZE - 5, (2,), generator=g).tolist()
                dist = ((yy - cy) ** 2 + (xx - cx) ** 2).float().sqrt()
                label[dist < 5] = 1
                label[dist < 2] = 2
            image = label.float() * 0.4 + 0.3 * torch.randn(SIZE, SIZE, generator=g)
            images.append(image[None])
            labels.append(label)
        self.images, self.labels = torch.stack(images), torch.stack(labels)

    def loader(self, batch, shuffle=True):
        order = torch.randperm(len(self.images)) if shuffle else torch.arange(len(self.images))
        for i in range(0, len(order) - batch + 1, batch):
            idx = order[i:i + batch]
            yield self.images[idx], self.labels[idx]


def main(epochs=4, batch=4):
    torch.manual_seed(11)
    train_set, val_set = CellDataset(320, seed=1), CellDataset(24, seed=2)
    model = SmallUNet(len(CLASSES))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([0.5, 1.0, 2.0]))
    metrics = {"confusion": SoftConfusion(len(CLASSES))}

    for epoch in range(epochs):
        loss = train_one_epoch(model, train_set.loader(batch), optimizer, criterion, metrics)
        train_iou = metrics["confusion"].iou()
        val_iou = evaluate(model, val_set.loader(batch, shuffle=False), len(CLASSES))
        scheduler.step()
        print("epoch %d  loss %.4f" % (epoch, loss))
        for name, a, b in zip(CLASSES, train_iou, val_iou):
            print("   %-12s train iou %.3f   val iou %.3f" % (name, a, b))


if __name__ == "__main__":
    main()
