# gradwatch-corpus: kind=memory-climb
# first-bad: 1
"""Binary segmentation of discs with a tiny U-Net."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(8)
SIZE = 32


def double_conv(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1), nn.ReLU(inplace=True),
        nn.Conv2d(c_out, c_out, 3, padding=1), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, ch=4):
        super().__init__()
        self.down1 = double_conv(1, ch)
        self.down2 = double_conv(ch, 2 * ch)
        self.up = nn.ConvTranspose2d(2 * ch, ch, 2, stride=2)
        self.conv = double_conv(2 * ch, ch)
        self.out = nn.Conv2d(ch, 1, 1)

    def forward(self, x):
        d1 = self.down1(x)
        d2 = self.down2(F.max_pool2d(d1, 2))
        u = torch.cat([self.up(d2), d1], dim=1)
        return self.out(self.conv(u))


def make_batch(n):
    yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    c = torch.rand(n, 2, 1, 1) * SIZE
    r = 4 + 6 * torch.rand(n, 1, 1)
    mask = (((xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2) < r ** 2).float().unsqueeze(1)
    img = mask + 0.6 * torch.randn(n, 1, SIZE, SIZE)
    return img, mask


def dice_loss(logits, target, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * target).sum((1, 2, 3))
    return 1 - ((2 * inter + eps) / (p.sum((1, 2, 3)) + target.sum((1, 2, 3)) + eps)).mean()


def iou(preds, masks):
    p, m = preds > 0.5, masks > 0.5
    return ((p & m).sum().item() + 1) / ((p | m).sum().item() + 1)


class Trainer:
    def __init__(self, model, lr=3e-3):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.all_preds = []
        self.all_masks = []

    def train_step(self, images, masks):
        logits = self.model(images)
        loss = F.binary_cross_entropy_with_logits(logits, masks) + dice_loss(logits, masks)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.all_preds.append(torch.sigmoid(logits).detach().cpu())  # <- culprit
        self.all_masks.append(masks.cpu())  # <- culprit
        return loss.item()

    def epoch_iou(self, n_last):
        preds = torch.cat(self.all_preds[-n_last:])
        masks = torch.cat(self.all_masks[-n_last:])
        return iou(preds, masks)


def main():
    trainer = Trainer(UNet())
    steps_per_epoch = 40
    for epoch in range(11):
        total = 0.0
        for _ in range(steps_per_epoch):
            images, masks = make_batch(8)
            total += trainer.train_step(images, masks)
        print(f"epoch {epoch} loss {total / steps_per_epoch:.4f} train IoU {trainer.epoch_iou(steps_per_epoch):.3f}")


if __name__ == "__main__":
    main()
