# gradwatch-corpus: kind=graph-held
# holder: losses.sum | self.sum | losses.avg | self.avg
# first-bad: 1
import argparse
import time

import torch
from torch.utils.data import DataLoader

from dataset import SignaturePairs
from losses import ContrastiveLoss
from network import SiameseNetwork
from utils import AverageMeter, accuracy_at


def parse_args():
    parser = argparse.ArgumentParser("siamese signatures")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--margin", type=float, default=1.5)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=1600)
    parser.add_argument("--print-freq", type=int, default=20)
    parser.add_argument("--seed", type=int, default=42)
    return parser.parse_args()


def train_one_epoch(loader, model, criterion, optimizer, epoch, args):
    losses = AverageMeter("Loss", ":.4f")
    accs = AverageMeter("Acc", ":.3f")
    batch_time = AverageMeter("Time", ":.4f")
    model.train()
    end = time.time()

    for i, (x1, x2, label) in enumerate(loader):
        out1, out2 = model(x1, x2)
        loss = criterion(out1, out2, label)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        acc = accuracy_at(out1, out2, label, args.margin / 2)
        losses.update(loss, x1.size(0))  # <- culprit
        accs.update(acc, x1.size(0))
        batch_time.update(time.time() - end)
        end = time.time()

        if i % args.print_freq == 0:
            print("Epoch [%d][%d/%d]" % (epoch, i, len(loader)), losses, accs, batch_time)

    return losses.avg, accs.avg


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)

    train_set = SignaturePairs(args.pairs, seed=args.seed)
    loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    model = SiameseNetwork()
    criterion = ContrastiveLoss(margin=args.margin)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-5)

    for epoch in range(args.epochs):
        loss, acc = train_one_epoch(loader, model, criterion, optimizer, epoch, args)
        print("=> epoch %d  loss %.4f  acc %.3f" % (epoch, loss, acc))


if __name__ == "__main__":
    main()
