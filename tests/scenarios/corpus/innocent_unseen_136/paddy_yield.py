# gradwatch-corpus: kind=none
"""Rice yield from weather series; validation runs between epochs and its outputs are pooled for R2."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)


class AttnPool(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.score = nn.Linear(dim, 1)

    def forward(self, h):
        return (torch.softmax(self.score(h), 1) * h).sum(1)


class YieldNet(nn.Module):
    def __init__(self, n_feat=4, dim=10):
        super().__init__()
        self.gru = nn.GRU(n_feat, dim, batch_first=True)
        self.pool = AttnPool(dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        h, _ = self.gru(x)
        return self.out(self.pool(h)).squeeze(-1)


def seasons(n, weeks=10):
    x = torch.randn(n, weeks, 4)
    rain = torch.sigmoid(x[:, 2:6, 0].mean(1) * 2)
    heat = x[:, 6:9, 1].clamp(min=0).mean(1)
    return x, 2 * rain - heat + 0.2 * x[:, :, 3].mean(1) + 0.1 * torch.randn(n)


def r2(pred, y):
    return 1 - (pred - y).pow(2).sum() / (y - y.mean()).pow(2).sum()


def run_epoch(model, loader, opt=None):
    training = opt is not None
    model.train(training)
    losses, preds, truths = [], [], []
    for x, y in loader:
        pred = model(x)
        loss = nn.functional.mse_loss(pred, y)
        if training:
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        else:
            losses.append(loss)
            preds.append(pred)
            truths.append(y)
    if training:
        return sum(losses) / len(losses), None
    return torch.stack(losses).mean().item(), r2(torch.cat(preds), torch.cat(truths)).item()


class EarlyStop:
    def __init__(self, patience):
        self.best, self.bad, self.patience = float("inf"), 0, patience

    def __call__(self, v):
        self.bad = 0 if v < self.best else self.bad + 1
        self.best = min(v, self.best)
        return self.bad > self.patience


def main():
    torch.manual_seed(64)
    data = TensorDataset(*seasons(400))
    train_set, val_set = random_split(data, [320, 80])
    train = DataLoader(train_set, batch_size=8, shuffle=True)
    val = DataLoader(val_set, batch_size=10)
    model = YieldNet()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    stop = EarlyStop(patience=30)
    scores = []
    for epoch in range(18):
        tr, _ = run_epoch(model, train, opt)
        va, score = run_epoch(model, val)
        scores.append(score)
        if epoch % 3 == 0:
            print(f"epoch {epoch:2d} train {tr:.3f} val {va:.3f} R2 {score:.3f}")
        if stop(va):
            break
    print("best R2", max(scores))


main()
