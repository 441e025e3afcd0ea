# gradwatch-corpus: kind=none
import copy

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Subset, TensorDataset

CONFIG = {"k": 4, "epochs": 8, "lr": 5e-3, "batch_size": 20, "accum": 2, "patience": 3}


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.counter = 0
        self.best_loss = None
        self.best_state = None
        self.early_stop = False

    def __call__(self, val_loss, model):
        if self.best_loss is None or val_loss < self.best_loss:
            self.best_loss = val_loss
            self.best_state = copy.deepcopy(model.state_dict())
            self.counter = 0
        else:
            self.counter += 1
            self.early_stop = self.counter >= self.patience


def kfold_indices(n, k, seed=0):
    folds = np.array_split(np.random.RandomState(seed).permutation(n), k)
    for i in range(k):
        yield np.concatenate([f for j, f in enumerate(folds) if j != i]), folds[i]


def make_model():
    return nn.Sequential(nn.Linear(10, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 1))


def train_epoch(model, loader, optimizer, criterion, accum):
    model.train()
    losses = []
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x).squeeze(1), y)
        (loss / accum).backward()
        losses.append(loss.detach())
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    return torch.stack(losses).mean()


def valid_epoch(model, loader, criterion):
    model.eval()
    total, n = 0, 0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x).squeeze(1), y) * len(x)
            n += len(x)
    return total / n


def main(cfg):
    torch.manual_seed(0)
    X = torch.randn(480, 10)
    y = X[:, 0] * X[:, 1] + torch.sin(2 * X[:, 2]) + 0.1 * torch.randn(480)
    train_set = TensorDataset(X[:400], y[:400])
    X_test, y_test = X[400:], y[400:]
    criterion = nn.MSELoss()
    models, results = [], {}

    for fold, (tr, va) in enumerate(kfold_indices(400, cfg["k"])):
        train_loader = DataLoader(Subset(train_set, tr.tolist()), cfg["batch_size"], shuffle=True)
        valid_loader = DataLoader(Subset(train_set, va.tolist()), 100)
        model = make_model()
        optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"])
        stopper = EarlyStopping(cfg["patience"])
        curve = []
        for epoch in range(cfg["epochs"]):
            train_loss = train_epoch(model, train_loader, optimizer, criterion, cfg["accum"])
            val_loss = valid_epoch(model, valid_loader, criterion)
            curve.append((train_loss, val_loss))
            stopper(val_loss, model)
            if stopper.early_stop:
                print(f"fold {fold}: early stop in epoch {epoch}")
                break
        model.load_state_dict(stopper.best_state)
        models.append(model.eval())
        results[fold] = stopper.best_loss
        print(f"fold {fold}: train {curve[-1][0]:.4f}  best valid {stopper.best_loss:.4f}")

    print("cv score: %.4f" % torch.stack(list(results.values())).mean())
    with torch.no_grad():
        preds = torch.stack([m(X_test).squeeze(1) for m in models])
    print("single model test mse: %.4f" % criterion(preds[0], y_test))
    print("ensemble test mse:     %.4f" % criterion(preds.mean(0), y_test))


if __name__ == "__main__":
    main(CONFIG)
