# gradwatch-corpus: kind=graph-held
# holder: self.curve["loss"] | finder.curve["loss"]
# first-bad: 1
# which learning rate for the weld seam classifier? sweep it up and look at the curve
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(40)


def fake_welds(n=1200):
    y = torch.randint(0, 3, (n,))
    img = 0.4 * torch.randn(n, 1, 16, 16)
    for c in range(3):
        m = y == c
        img[m, :, 4 * c + 2:4 * c + 5, 3:13] += 1.0
    return img, y


class WeldNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 12, 3, padding=1)
        self.fc = nn.Linear(12 * 16, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


class LRFinder:
    def __init__(self, model, opt, loss_fn, low=1e-5, high=0.5, n=90):
        self.model = model
        self.opt = opt
        self.loss_fn = loss_fn
        self.low = low
        self.n = n
        self.mult = (high / low) ** (1.0 / (n - 1))
        self.curve = {"lr": [], "loss": []}
        self.saved = (copy.deepcopy(model.state_dict()), copy.deepcopy(opt.state_dict()))

    def set_lr(self, lr):
        for g in self.opt.param_groups:
            g["lr"] = lr

    def sweep(self, loader):
        lr = self.low
        it = iter(loader)
        lowest = None
        for i in range(self.n):
            try:
                xb, yb = next(it)
            except StopIteration:
                it = iter(loader)
                xb, yb = next(it)
            self.set_lr(lr)
            loss = self.loss_fn(self.model(xb), yb)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.curve["lr"].append(lr)
            self.curve["loss"].append(loss)  # <- culprit
            if lowest is None or loss.item() < lowest:
                lowest = loss.item()
            lr = lr * self.mult

    def suggestion(self, k=5):
        ys = [float(v) for v in self.curve["loss"]]
        sm = [sum(ys[max(0, i - k):i + k + 1]) / len(ys[max(0, i - k):i + k + 1]) for i in range(len(ys))]
        drops = [sm[i + 1] - sm[i] for i in range(len(sm) - 1)]
        return self.curve["lr"][drops.index(min(drops))]

    def restore(self):
        self.model.load_state_dict(self.saved[0])
        self.opt.load_state_dict(self.saved[1])


x, y = fake_welds()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
net = WeldNet()
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
finder = LRFinder(net, opt, nn.CrossEntropyLoss())
finder.sweep(loader)
best_lr = finder.suggestion()
finder.restore()
print("suggested lr", f"{best_lr:.5f}")
for i in range(0, finder.n, 15):
    print(f"{finder.curve['lr'][i]:.6f}  {float(finder.curve['loss'][i]):.4f}")
