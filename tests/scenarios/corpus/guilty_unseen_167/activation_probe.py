# gradwatch-corpus: kind=graph-held
# holder: records | records[name]
import functools
import time
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(21)


class BasicBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.short = nn.Conv2d(cin, cout, 1, stride) if stride > 1 or cin != cout else nn.Identity()

    def forward(self, x):
        out = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(out + self.short(x))


class TinyResNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 3, 1, 1)
        self.layer1, self.layer2 = BasicBlock(8, 8, 1), BasicBlock(8, 16, 2)
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        return self.fc(self.layer2(self.layer1(F.relu(self.stem(x)))).mean((2, 3)))


def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = fn(*args, **kwargs)
        wrapper.total += time.perf_counter() - start
        return result
    wrapper.total = 0.0
    return wrapper


def watch(model, kinds=(BasicBlock, nn.Linear)):
    """Records the scale of every block's output; returns a summary and a remover."""
    records = defaultdict(list)
    handles = []

    def make_hook(name):
        def hook(module, inputs, output):
            if module.training:
                rms = output.pow(2).mean().sqrt()  # <- culprit
                records[name].append(rms)  # <- culprit
        return hook

    for name, module in model.named_modules():
        if isinstance(module, kinds):
            handles.append(module.register_forward_hook(make_hook(name)))

    def summary():
        return {name: f"{sum(r.item() for r in rs[-20:]) / len(rs[-20:]):.3f}" for name, rs in records.items()}

    def remove():
        for h in handles:
            h.remove()

    return summary, remove


@timed
def train_step(model, opt, x, y):
    opt.zero_grad(set_to_none=True)
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def make_data(n):
    y = torch.randint(0, 4, (n,))
    x = 0.5 * torch.randn(n, 1, 8, 8)
    for k in range(4):
        x[y == k, :, 4 * (k // 2):4 * (k // 2) + 4, 4 * (k % 2):4 * (k % 2) + 4] += 1.0
    return x, y


x, y = make_data(480)
model = TinyResNet()
opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=5e-4)
scheduler = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.05, total_steps=100)
summary, remove = watch(model)
meter = []
for epoch in range(4):
    for idx in torch.randperm(400).split(16):
        meter.append(train_step(model, opt, x[idx], y[idx]))
        scheduler.step()
    print(f"epoch {epoch} loss {sum(meter[-25:]) / 25:.3f} acc {accuracy(model, x[400:], y[400:]):.2f} rms {summary()}")
remove()
print(f"{len(meter)} steps in {train_step.total:.2f}s")
