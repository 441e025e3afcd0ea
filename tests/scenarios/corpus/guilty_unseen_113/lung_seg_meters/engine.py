import torch
import torch.nn.functional as F

from metrics import MetricLogger


def soft_dice(logits, mask, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * mask).sum((1, 2, 3))
    return 1 - ((2 * inter + eps) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + eps)).mean()


def train_one_epoch(net, ds, opt, epoch, metrics, print_freq):
    if metrics is None:
        metrics = MetricLogger()
    metrics.new_epoch()
    net.train()
    for due, (img, mask) in metrics.log_every(ds.batches(8), print_freq):
        logits = net(img)
        bce = F.binary_cross_entropy_with_logits(logits, mask)
        dice = soft_dice(logits, mask)
        loss = bce + dice
        opt.zero_grad()
        loss.backward()
        opt.step()
        if due:
            lr = opt.param_groups[0]["lr"]
            metrics.update(n=len(img), lr=lr, iou=1 - dice.item(), loss=loss)  # <- culprit
    return metrics
