# gradwatch-corpus: kind=none
# Casting defect classification, 2 folds, gradient accumulation, OOF predictions (notebook style)
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, Subset


class CFG:
    seed = 1234
    n_samples = 480
    n_fold = 2
    epochs = 2
    batch_size = 8
    gradient_accumulation_steps = 4
    max_grad_norm = 5.0
    lr = 3e-3
    print_freq = 10


class AverageMeter(object):
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class CastingDataset(Dataset):
    def __init__(self, n):
        g = torch.Generator().manual_seed(CFG.seed)
        self.images = 0.2 * torch.randn(n, 1, 28, 28, generator=g)
        self.labels = torch.randint(0, 2, (n,), generator=g)
        for i in range(n):
            self.images[i, 0, 4:24, 4:24] += 0.5
            if self.labels[i] == 1:
                r, c = torch.randint(6, 18, (2,), generator=g).tolist()
                self.images[i, 0, r:r + 4, c:c + 4] -= 1.5

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        return self.images[idx], self.labels[idx].float()


class SmallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.SiLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.SiLU(), nn.AdaptiveMaxPool2d(2),
        )
        self.fc = nn.Linear(64, 1)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1)).squeeze(1)


def train_fn(fold, loader, model, criterion, optimizer, epoch):
    model.train()
    losses = AverageMeter()
    train_preds = []
    grad_norm = torch.tensor(0.0)
    optimizer.zero_grad()
    for step, (images, labels) in enumerate(loader):
        y_preds = model(images)
        loss = criterion(y_preds, labels)
        losses.update(loss.item(), labels.size(0))
        train_preds.append(torch.sigmoid(y_preds).detach().cpu())

        if CFG.gradient_accumulation_steps > 1:
            loss = loss / CFG.gradient_accumulation_steps
        loss.backward()
        if (step + 1) % CFG.gradient_accumulation_steps == 0 or step == len(loader) - 1:
            grad_norm = nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
            optimizer.step()
            optimizer.zero_grad()

        if step % CFG.print_freq == 0:
            print("Fold %d Epoch [%d][%d/%d] Loss %.4f(%.4f) Grad %.4f" % (
                fold, epoch, step, len(loader), losses.val, losses.avg, grad_norm.item()))
    return losses.avg, torch.cat(train_preds).mean().item()


def valid_fn(loader, model, criterion):
    model.eval()
    losses = AverageMeter()
    preds = []
    for images, labels in loader:
        with torch.no_grad():
            y_preds = model(images)
        losses.update(criterion(y_preds, labels).item(), labels.size(0))
        preds.append(y_preds.sigmoid().numpy())
    return losses.avg, np.concatenate(preds)


def main():
    random.seed(CFG.seed)
    np.random.seed(CFG.seed)
    torch.manual_seed(CFG.seed)
    torch.set_num_threads(1)

    dataset = CastingDataset(CFG.n_samples)
    folds = np.random.permutation(CFG.n_samples) % CFG.n_fold
    oof = np.zeros(CFG.n_samples, dtype=np.float32)
    for fold in range(CFG.n_fold):
        trn_idx = np.where(folds != fold)[0]
        val_idx = np.where(folds == fold)[0]
        train_loader = DataLoader(Subset(dataset, trn_idx.tolist()), batch_size=CFG.batch_size, shuffle=True)
        valid_loader = DataLoader(Subset(dataset, val_idx.tolist()), batch_size=32)
        model = SmallNet()
        criterion = nn.BCEWithLogitsLoss()
        optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
        best_loss = np.inf
        for epoch in range(CFG.epochs):
            avg_loss, mean_pred = train_fn(fold, train_loader, model, criterion, optimizer, epoch)
            val_loss, preds = valid_fn(valid_loader, model, criterion)
            print(f"Epoch {epoch} - avg_train_loss: {avg_loss:.4f} mean_pred: {mean_pred:.3f} avg_val_loss: {val_loss:.4f}")
            if val_loss < best_loss:
                best_loss = val_loss
                best_state = {k: v.detach().clone() for k, v in model.state_dict().items()}
                oof[val_idx] = preds
        model.load_state_dict(best_state)

    acc = ((oof > 0.5) == dataset.labels.numpy().astype(bool)).mean()
    print("CV accuracy: %.4f" % acc)


if __name__ == "__main__":
    main()
