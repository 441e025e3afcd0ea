# gradwatch-corpus: kind=graph-held
# holder: self.sum | meters["loss"].sum | losses.sum
# first-bad: 1
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

from samplers import PKSampler, make_shapes
from utils import AverageMeter, adjust_lr


class EmbeddingNet(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 128), nn.PReLU(), nn.Linear(128, 128), nn.PReLU(), nn.Linear(128, d_out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def batch_hard_triplet(emb, labels, margin):
    dist = torch.cdist(emb, emb)
    same = labels[:, None] == labels[None, :]
    hardest_pos = dist.masked_fill(~same, -1e9).max(1).values
    hardest_neg = dist.masked_fill(same, 1e9).min(1).values
    return F.relu(hardest_pos - hardest_neg + margin).mean(), (hardest_neg > hardest_pos).float().mean()


def train(loader, model, optimizer, args):
    losses, precs = AverageMeter(), AverageMeter()
    model.train()
    for i, (x, y) in enumerate(loader):
        adjust_lr(optimizer, args.lr, i, warmup=20)
        emb = model(x)
        loss, prec = batch_hard_triplet(emb, y, args.margin)
        losses.update(loss, x.size(0))  # <- culprit
        precs.update(prec.item(), x.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % args.print_freq == 0:
            print("[{0}/{1}]\tLoss {loss.val:.4f} ({loss.avg:.4f})\tPrec {p.val:.3f} ({p.avg:.3f})".format(
                i, len(loader), loss=losses, p=precs))
    return losses.avg


@torch.no_grad()
def recall_at_1(model, x, y):
    model.eval()
    e = model(x)
    d = torch.cdist(e, e)
    d.fill_diagonal_(1e9)
    return (y[d.argmin(1)] == y).float().mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--lr", default=1e-3, type=float)
    p.add_argument("--margin", default=0.3, type=float)
    p.add_argument("--print-freq", default=30, type=int)
    p.add_argument("--iters", default=150, type=int)
    args = p.parse_args()
    torch.manual_seed(99)
    x, y = make_shapes(900, classes=15, dim=40)
    loader = PKSampler(x, y, p=8, k=6, iters=args.iters)
    model = EmbeddingNet(40, 24)
    optimizer = torch.optim.Adam(model.parameters(), args.lr)
    train(loader, model, optimizer, args)
    print("R@1", recall_at_1(model, x, y))


if __name__ == "__main__":
    main()
