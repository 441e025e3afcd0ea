# gradwatch-corpus: kind=graph-held
# holder: self.val_history | job.val_history | job.val_history[i]["pred"]
# first-bad: 1
# notice: 8
"""River level nowcast from three upstream gauges: 1-D convnet with early look at validation data."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(20)


def synth(n, length=24):
    t = torch.arange(n + length).float()
    base = torch.stack([torch.sin(t / 9 + k) + 0.3 * torch.sin(t / 31) for k in range(3)])
    base = base + 0.1 * torch.randn_like(base)
    xs = base.unfold(1, length, 1).permute(1, 0, 2)[:n]
    ys = xs[:, :, -4:].mean(dim=(1, 2)) + 0.5 * xs[:, 0, -9]
    return xs.contiguous(), ys.unsqueeze(1)


class GaugeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 8, 5)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(8 * 10, 1)

    def forward(self, x):
        z = torch.tanh(self.conv(x))
        z = nn.functional.max_pool1d(z, 2)
        return self.out(self.drop(z.flatten(1)))


class Job:
    def __init__(self):
        self.net = GaugeNet()
        self.loss_fn = nn.MSELoss()
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=1e-3)
        self.val_history = []
        x, y = synth(600)
        self.train_x, self.train_y = x[:520], y[:520]
        self.val_x, self.val_y = x[520:], y[520:]

    def batches(self, size=20):
        while True:
            perm = torch.randperm(len(self.train_x))
            for i in range(0, len(perm), size):
                ix = perm[i:i + size]
                yield self.train_x[ix], self.train_y[ix]

    def validate(self, it):
        self.net.eval()
        preds, total = [], 0.0
        for i in range(0, len(self.val_x), 40):
            p = self.net(self.val_x[i:i + 40])  # <- culprit
            total += self.loss_fn(p, self.val_y[i:i + 40]).item()
            preds.append(p)
        self.net.train()
        self.val_history.append({"it": it, "rmse": math.sqrt(total / 2), "pred": torch.cat(preds)})  # <- culprit
        return self.val_history[-1]["rmse"]

    def best(self):
        return min(self.val_history, key=lambda r: r["rmse"])

    def fit(self, iters=400, every=4):
        stream = self.batches()
        for it in range(iters):
            if it % every == 0:
                rmse = self.validate(it)
                if it % 80 == 0:
                    print(f"{it:4d} val rmse {rmse:.3f}")
            x, y = next(stream)
            self.opt.zero_grad()
            loss = self.loss_fn(self.net(x), y)
            loss.backward()
            self.opt.step()
        top = self.best()
        spread = top["pred"].std().item()
        print("best at", top["it"], "rmse", round(top["rmse"], 3), "spread", round(spread, 3))


job = Job()
job.fit()
