# gradwatch-corpus: kind=graph-held
# holder: self.sum | losses.sum | self.avg | losses.avg
# first-bad: 1
import argparse
import time

import torch
import torch.nn.functional as F

from models import GCN
from utils import AverageMeter, sbm_graph, set_seed


def accuracy(output, labels):
    return (output.argmax(1) == labels).float().mean().item()


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=450)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--weight_decay", type=float, default=5e-4)
    p.add_argument("--hidden", type=int, default=16)
    p.add_argument("--dropout", type=float, default=0.5)
    p.add_argument("--seed", type=int, default=42)
    return p.parse_args()


def main():
    args = parse()
    set_seed(args.seed)
    features, adj, labels = sbm_graph()
    idx = torch.randperm(len(labels))
    idx_train, idx_val = idx[:40], idx[40:80]

    model = GCN(features.size(1), args.hidden, int(labels.max()) + 1, args.dropout)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)

    losses = AverageMeter("Loss", ":.4f")
    accs = AverageMeter("Acc", ":.3f")
    batch_time = AverageMeter("Time", ":.4f")
    best = 0.0
    for epoch in range(args.epochs):
        end = time.time()
        model.train()
        optimizer.zero_grad()
        output = model(features, adj)
        loss_train = F.nll_loss(output[idx_train], labels[idx_train])
        loss_train.backward()
        optimizer.step()

        losses.update(loss_train, len(idx_train))  # <- culprit
        accs.update(accuracy(output[idx_train], labels[idx_train]), len(idx_train))
        batch_time.update(time.time() - end)

        if epoch % 50 == 0:
            model.eval()
            with torch.no_grad():
                acc_val = accuracy(model(features, adj)[idx_val], labels[idx_val])
            best = max(best, acc_val)
            print(f"Epoch {epoch:04d} {losses} {accs} {batch_time} val {acc_val:.3f}")
    print("best val", best)


if __name__ == "__main__":
    main()
