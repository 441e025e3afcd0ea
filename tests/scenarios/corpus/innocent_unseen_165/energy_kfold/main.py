# gradwatch-corpus: kind=none
import copy

import torch
import torch.nn as nn

from features import FeatureCache, FrozenBackbone

torch.set_num_threads(1)
torch.manual_seed(28)


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best, self.wait, self.state = None, 0, None

    def __call__(self, loss, model):
        if self.best is None or loss < self.best:
            self.best, self.wait = loss, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait > self.patience


def buildings(n=600, cols=8):
    x = torch.randn(n, cols)
    y = x[:, :3].pow(2).sum(1) + x[:, 3] + 0.2 * torch.randn(n)
    return x, (y - y.mean()) / y.std()


def kfold(n, k):
    parts = torch.randperm(n).chunk(k)
    for i in range(k):
        yield i, torch.cat([p for j, p in enumerate(parts) if j != i]), parts[i]


def train_fold(fold, cache, x, y, tr, va, epochs=6):
    head = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
    opt = torch.optim.Adam(head.parameters(), lr=5e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1, factor=0.5)
    stopper = EarlyStopping(patience=3)
    ftr, fva = cache.get((fold, "train"), x[tr]), cache.get((fold, "val"), x[va])
    ytr, yva = y[tr], y[va]
    for _ in range(epochs):
        head.train()
        for idx in torch.randperm(len(tr)).split(48):
            loss = nn.functional.mse_loss(head(ftr[idx]).squeeze(1), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        head.eval()
        with torch.inference_mode():
            val = nn.functional.mse_loss(head(fva).squeeze(1), yva).item()
        plateau.step(val)
        if stopper(val, head):
            break
    head.load_state_dict(stopper.state)
    return stopper.best


def main():
    x, y = buildings()
    cache = FeatureCache(FrozenBackbone(x.shape[1]))
    scores = []
    for fold, tr, va in kfold(len(x), 4):
        scores.append(train_fold(fold, cache, x, y, tr, va))
        print(f"fold {fold} mse {scores[-1]:.4f}")
    print("mean", sum(scores) / len(scores))


if __name__ == "__main__":
    main()
