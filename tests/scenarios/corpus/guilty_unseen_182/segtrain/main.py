# gradwatch-corpus: kind=memory-climb
# first-bad: 1
"""Foreground segmentation of synthetic cells with a small encoder-decoder."""
import torch

from cells import CellImages
from evaluator import SegEvaluator
from unet import TinyUNet


def dice_loss(logits, mask):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    return 1 - ((2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)).mean()


def main():
    torch.manual_seed(33)
    data = CellImages(256, 32)
    net = TinyUNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    evaluator = SegEvaluator(threshold=0.5)
    bce = torch.nn.BCEWithLogitsLoss()
    for it in range(450):
        img, mask = data.sample(12)
        logits = net(img)
        loss = bce(logits, mask) + dice_loss(logits, mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        evaluator.add(logits.detach(), mask)
        if it % 50 == 0:
            print(f"it {it} loss {loss.item():.4f} iou {evaluator.latest_iou():.3f}")


if __name__ == "__main__":
    main()
