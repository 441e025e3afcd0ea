# gradwatch-corpus: kind=second-backward
# holder: logits
# first-bad: 0
# notice: 0
# after: davda54/sam #45 "Trying to backward through the graph a second time" (criterion(output, target) again without a new forward)
"""Crop type mapping from yearly NDVI curves, trained with sharpness-aware minimisation."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, **kwargs):
        defaults = dict(rho=rho, **kwargs)
        super(SAM, self).__init__(params, defaults)
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        grad_norm = self._grad_norm()
        for group in self.param_groups:
            scale = group["rho"] / (grad_norm + 1e-12)
            for p in group["params"]:
                if p.grad is None:
                    continue
                self.state[p]["old_p"] = p.data.clone()
                p.add_(p.grad * scale)
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                p.data = self.state[p]["old_p"]
        self.base_optimizer.step()
        if zero_grad:
            self.zero_grad()

    def step(self, closure=None):
        raise RuntimeError("SAM needs first_step and second_step")

    def _grad_norm(self):
        return torch.norm(torch.stack([
            p.grad.norm(p=2) for group in self.param_groups for p in group["params"] if p.grad is not None
        ]), p=2)


class TempCNN(nn.Module):
    def __init__(self, n_classes, width=24):
        super().__init__()
        layers = []
        for i, o in ((2, width), (width, width), (width, width)):
            layers += [nn.Conv1d(i, o, 5, padding=2), nn.BatchNorm1d(o), nn.ReLU()]
        self.conv = nn.Sequential(*layers)
        self.fc = nn.Linear(width * 9, n_classes)

    def forward(self, x):
        h = nn.functional.avg_pool1d(self.conv(x), 4)
        return self.fc(h.flatten(1))


def ndvi_curves(n, classes, g):
    y = torch.randint(0, classes, (n,), generator=g)
    t = torch.linspace(0, 1, 36)
    peak = 0.3 + 0.5 * y.float() / classes + 0.03 * torch.randn(n, generator=g)
    ndvi = torch.exp(-((t - peak.view(-1, 1)) ** 2) / 0.02) + 0.1 * torch.randn(n, 36, generator=g)
    ndwi = 0.5 * ndvi.roll(2, 1) + 0.1 * torch.randn(n, 36, generator=g)
    return TensorDataset(torch.stack([ndvi, ndwi], 1), y)


def train(loader, model, criterion, optimizer, epoch):
    model.train()
    seen = good = 0
    for x, y in loader:
        # first forward-backward pass
        logits = model(x)
        loss = criterion(logits, y)
        loss.backward()
        optimizer.first_step(zero_grad=True)

        # second forward-backward pass, at the perturbed weights
        criterion(logits, y).backward()  # <- culprit
        optimizer.second_step(zero_grad=True)

        good += (logits.argmax(1) == y).sum().item()
        seen += len(y)
    print("epoch %d accuracy %.3f" % (epoch, good / seen))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", default=4, type=int)
    parser.add_argument("--batch-size", default=64, type=int)
    parser.add_argument("--rho", default=0.05, type=float)
    args = parser.parse_args()
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    loader = DataLoader(ndvi_curves(1600, 8, g), batch_size=args.batch_size, shuffle=True)
    model = TempCNN(8)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = SAM(model.parameters(), torch.optim.SGD, rho=args.rho, lr=0.05, momentum=0.9)
    for epoch in range(args.epochs):
        train(loader, model, criterion, optimizer, epoch)


if __name__ == "__main__":
    main()
