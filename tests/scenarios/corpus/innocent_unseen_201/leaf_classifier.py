# gradwatch-corpus: kind=none
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.val = 0.0
        self.sum = 0.0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best = float("inf")
        self.bad = 0
        self.state = None

    def step(self, value, model):
        if value < self.best - 1e-4:
            self.best = value
            self.bad = 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad > self.patience


def make_leaves(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 5, (n,), generator=g)
    proto = torch.randn(5, 1, 12, 12, generator=torch.Generator().manual_seed(99))
    x = proto[y] + 1.2 * torch.randn(n, 1, 12, 12, generator=g)
    return TensorDataset(x, y)


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(64, 5),
    )


@torch.no_grad()
def evaluate(model, loader, criterion):
    model.eval()
    loss_m, hits, total = AverageMeter("val"), 0, 0
    for x, y in loader:
        out = model(x)
        loss_m.update(criterion(out, y).item(), len(y))
        hits += (out.argmax(1) == y).sum().item()
        total += len(y)
    return loss_m.avg, hits / total


def main():
    torch.manual_seed(3)
    train = DataLoader(make_leaves(1280, 0), batch_size=32, shuffle=True)
    val = DataLoader(make_leaves(256, 1), batch_size=128)
    model = build_model()
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=14)
    stopper = EarlyStopping(patience=20)
    history = {"train_loss": [], "val_loss": [], "val_acc": []}
    losses, top1 = AverageMeter("loss"), AverageMeter("acc")

    for epoch in range(14):
        model.train()
        losses.reset()
        top1.reset()
        for x, y in train:
            output = model(x)
            loss = criterion(output, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.update(loss.item(), x.size(0))
            top1.update((output.argmax(1) == y).float().mean().item(), x.size(0))
        scheduler.step()
        val_loss, val_acc = evaluate(model, val, criterion)
        history["train_loss"].append(losses.avg)
        history["val_loss"].append(val_loss)
        history["val_acc"].append(val_acc)
        print(f"epoch {epoch:2d} loss {losses.avg:.4f} acc {top1.avg:.3f} val {val_loss:.4f}/{val_acc:.3f}")
        if stopper.step(val_loss, model):
            break

    model.load_state_dict(stopper.state)
    print("best val", stopper.best, "acc", max(history["val_acc"]))


if __name__ == "__main__":
    main()
