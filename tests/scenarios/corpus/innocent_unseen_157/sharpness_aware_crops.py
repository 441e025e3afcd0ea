# gradwatch-corpus: kind=none
"""Crop classification with sharpness-aware minimisation and a stochastic weight average at the end."""
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, SWALR, update_bn

torch.set_num_threads(1)
torch.manual_seed(3)


class SAM:
    def __init__(self, params, base, rho=0.05):
        self.params = list(params)
        self.base = base
        self.rho = rho
        self.before = {}

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        for p in self.params:
            self.before[p] = p.clone()
            p.add_(p.grad, alpha=(self.rho / norm).item())

    @torch.no_grad()
    def descend(self):
        for p in self.params:
            p.copy_(self.before.pop(p))
        self.base.step()

    def zero_grad(self):
        self.base.zero_grad()


class CropNet(nn.Module):
    def __init__(self, bands=4, classes=5):
        super().__init__()
        self.time = nn.Sequential(nn.Conv1d(bands, 12, 3, padding=1), nn.BatchNorm1d(12), nn.ReLU(),
                                  nn.Conv1d(12, 12, 3, padding=1), nn.BatchNorm1d(12), nn.ReLU())
        self.head = nn.Linear(24, classes)

    def forward(self, x):
        h = self.time(x)
        return self.head(torch.cat([h.mean(-1), h.amax(-1)], dim=1))


def seasons(n=160, classes=5, dates=18):
    y = torch.randint(0, classes, (n,))
    t = torch.linspace(0, 6.283, dates)
    phase = y.float().view(-1, 1, 1) * 0.9 + torch.arange(4).view(1, -1, 1)
    return torch.sin(t + phase) + 0.6 * torch.randn(n, 4, dates), y


def train(epochs=14, swa_from=9, batch=16):
    x, y = seasons()
    net = CropNet()
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    sam = SAM(net.parameters(), sgd)
    averaged, swa_schedule = AveragedModel(net), SWALR(sgd, swa_lr=0.02, anneal_epochs=2)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    for epoch in range(epochs):
        total = 0.0
        for picked in torch.randperm(len(x)).split(batch):
            sam.zero_grad()
            first = criterion(net(x[picked]), y[picked])
            first.backward()
            sam.climb()
            sam.zero_grad()
            criterion(net(x[picked]), y[picked]).backward()
            sam.descend()
            total += first.item()
        if epoch >= swa_from:
            averaged.update_parameters(net)
            swa_schedule.step()
        if epoch % 4 == 1:
            print(f"epoch {epoch:2d} loss {total / 10:.4f}")
    update_bn(x.split(batch), averaged)
    averaged.eval()
    with torch.no_grad():
        print(f"averaged model's accuracy {(averaged(x).argmax(1) == y).float().mean().item():.3f}")


if __name__ == "__main__":
    train()
