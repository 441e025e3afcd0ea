# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Deep metric learning; the loss brings class proxies of its own."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class ProxyLoss(nn.Module):
    def __init__(self, n_classes, dim, scale=8.0):
        super().__init__()
        self.proxies = nn.Parameter(torch.randn(n_classes, dim))
        self.scale = scale

    def similarities(self, emb):
        return F.normalize(emb, dim=-1) @ F.normalize(self.proxies, dim=-1).T

    def forward(self, emb, labels):
        return F.cross_entropy(self.scale * self.similarities(emb), labels)

    @torch.no_grad()
    def assign(self, emb):
        return self.similarities(emb).argmax(-1)


class BaseTrainer:
    def __init__(self, net, opt):
        self.net, self.opt = net, opt

    def compute(self, batch):
        raise NotImplementedError

    def optimize(self, batch):
        self.net.zero_grad(set_to_none=True)  # <- culprit
        loss, stats = self.compute(batch)
        loss.backward()
        self.opt.step()
        return loss.item(), stats

    def run_epoch(self, loader):
        losses, stats = zip(*(self.optimize(b) for b in loader))
        return sum(losses) / len(losses), sum(stats) / len(stats)


class MetricTrainer(BaseTrainer):
    def __init__(self, net, criterion, lr=2e-3, proxy_lr=0.05):
        opt = torch.optim.SGD(
            [{"params": net.parameters(), "lr": lr * 10}, {"params": criterion.parameters(), "lr": proxy_lr}]
        )
        super().__init__(net, opt)
        self.criterion = criterion

    def compute(self, batch):
        x, y = batch
        emb = self.net(x)
        hit = (self.criterion.assign(emb) == y).float().mean().item()
        return self.criterion(emb, y), hit


def digits_like(n=480, dim=20, classes=6):
    proto = torch.randn(classes, dim)
    y = torch.arange(n) % classes
    return TensorDataset(proto[y] + 0.9 * torch.randn(n, dim), y)


def main():
    torch.manual_seed(9)
    loader = DataLoader(digits_like(), batch_size=24, shuffle=True)
    net = nn.Sequential(nn.Linear(20, 48), nn.ReLU(), nn.Linear(48, 12))
    criterion = ProxyLoss(6, 12)
    trainer = MetricTrainer(net, criterion)
    for e in range(5):
        loss, acc = trainer.run_epoch(loader)
        print(f"epoch {e}: loss {loss:.4f} acc {acc:.3f} |proxy| {criterion.proxies.detach().norm():.2f}")


if __name__ == "__main__":
    main()
