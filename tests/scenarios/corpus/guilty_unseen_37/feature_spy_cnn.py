# gradwatch-corpus: kind=graph-held
# holder: self.maps | spy.maps | self.maps[name] | spy.maps[name]
# first-bad: 1
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


class FeatureSpy:
    """Collects the activations of some layers, to plot how they drift in training."""

    def __init__(self, model, layer_names):
        self.maps = defaultdict(list)
        self.handles = []
        modules = dict(model.named_modules())
        for name in layer_names:
            self.handles.append(modules[name].register_forward_hook(self._make(name)))

    def _make(self, name):
        def hook(module, inputs, output):
            if module.training:
                self.maps[name].append(output[:2])  # <- culprit
        return hook

    def summary(self):
        return {k: f"{len(v)} maps, last mean {v[-1].mean().item():.4f}" for k, v in self.maps.items()}

    def close(self):
        for h in self.handles:
            h.remove()


class BlobNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 3, padding=1)
        self.conv2 = nn.Conv2d(6, 10, 3, padding=1)
        self.fc = nn.Linear(10 * 4 * 4, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


def blobs(n):
    g = torch.Generator().manual_seed(2)
    y = torch.randint(0, 3, (n,), generator=g)
    x = 0.3 * torch.randn(n, 1, 16, 16, generator=g)
    for i, c in enumerate(y.tolist()):
        x[i, 0, 4 * c:4 * c + 6, 3:9] += 1.0
    return TensorDataset(x, y)


def accuracy(model, ds):
    model.eval()
    with torch.no_grad():
        x, y = ds.tensors
        return (model(x).argmax(1) == y).float().mean().item()


def fit(epochs=4):
    torch.manual_seed(0)
    ds = blobs(480)
    model = BlobNet()
    spy = FeatureSpy(model, ["conv1", "conv2"])
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(epochs):
        model.train()
        for x, y in DataLoader(ds, batch_size=24, shuffle=True):
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
        print(f"epoch {epoch} loss {loss.item():.4f} acc {accuracy(model, ds):.3f}")
        for k, s in spy.summary().items():
            print("   ", k, s)
    spy.close()


if __name__ == "__main__":
    fit()
