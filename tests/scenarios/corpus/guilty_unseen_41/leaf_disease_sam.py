# gradwatch-corpus: kind=retain-needless
# first-bad: 0
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class SharpnessAware:
    def __init__(self, params, base_cls, rho=0.05, **kw):
        self.params = list(params)
        self.base = base_cls(self.params, **kw)
        self.rho = rho
        self._eps = []

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        self._eps = []
        for p in self.params:
            e = p.grad * (self.rho / norm)
            p.add_(e)
            self._eps.append(e)
        self.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p, e in zip(self.params, self._eps):
            p.sub_(e)
        self.base.step()
        self.zero_grad()

    def zero_grad(self):
        self.base.zero_grad(set_to_none=True)


class LeafNet(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 12, 3, padding=1), nn.GroupNorm(3, 12), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.GroupNorm(3, 24), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        )
        self.fc = nn.Linear(24, classes)

    def forward(self, img):
        return self.fc(self.features(img))


def leaves(n, classes=5, size=16):
    y = torch.randint(0, classes, (n,))
    tint = torch.linspace(-1, 1, classes)
    img = 0.6 * torch.randn(n, 3, size, size)
    img[:, 1] += tint[y].view(-1, 1, 1)
    img[:, 0, ::2] += 0.5 * tint.flip(0)[y].view(-1, 1, 1)
    return TensorDataset(img, y)


def train_batch(net, opt, img, y):
    opt.zero_grad()
    loss = F.cross_entropy(net(img), y)
    loss.backward(retain_graph=True)  # <- culprit
    opt.ascend()
    F.cross_entropy(net(img), y).backward()
    opt.descend()
    return loss.item()


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    ok = sum((net(img).argmax(1) == y).sum().item() for img, y in loader)
    net.train()
    return ok / len(loader.dataset)


def main():
    torch.manual_seed(14)
    train = DataLoader(leaves(480), batch_size=24, shuffle=True)
    test = DataLoader(leaves(120), batch_size=60)
    net = LeafNet()
    opt = SharpnessAware(net.parameters(), torch.optim.SGD, lr=0.05, momentum=0.9)
    for epoch in range(4):
        losses = [train_batch(net, opt, img, y) for img, y in train]
        print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f} acc {evaluate(net, test):.3f}")


if __name__ == "__main__":
    main()
