import torch
import torch.nn.functional as F

from .review import ReviewQueue
from .unet import SmallUNet


def soft_dice(logits, mask, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * mask).sum((1, 2, 3))
    return (2 * inter + eps) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + eps)


class Trainer:
    def __init__(self, source, lr):
        self.source = source
        self.net = SmallUNet()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9, nesterov=True)
        self.review = ReviewQueue(below=0.8)
        self.seen = 0

    def step(self):
        scans, image, mask = self.source.draw(4)
        logits = self.net(image)
        dice = soft_dice(logits, mask)
        loss = F.binary_cross_entropy_with_logits(logits, mask) + (1 - dice).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.review.look(scans, dice)
        self.seen += len(scans)
        return loss.item(), dice.mean().item()

    def run(self, iterations, every):
        for it in range(1, iterations + 1):
            loss, dice = self.step()
            if it % every == 0:
                print(f"it {it:4d} loss {loss:.3f} dice {dice:.3f} queue {len(self.review.queue)}/{self.seen}")
