# gradwatch-corpus: kind=none
"""Bone-age regression; losses of several micro-batches are pooled in a meter before each update."""
import torch
import torch.nn as nn

torch.set_num_threads(1)


class LossPool:
    """Sum and count of per-sample losses since the last flush."""

    def __init__(self):
        self.total, self.count = 0.0, 0
        self.pieces = []

    def update(self, per_sample):
        self.total = self.total + per_sample.sum()
        self.count += per_sample.numel()
        self.pieces.append(per_sample)

    @property
    def mean(self):
        return self.total / self.count

    def worst(self):
        return torch.cat(self.pieces).max().item()

    def flush(self):
        out = self.mean, self.worst()
        self.__init__()
        return out


class AgeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 4, 3, stride=2), nn.ReLU(), nn.Conv2d(4, 6, 3, stride=2), nn.ReLU())
        self.sex = nn.Embedding(2, 3)
        self.fc = nn.Linear(6 * 4 + 3, 1)

    def forward(self, img, sex):
        z = self.conv(img).flatten(1)
        return self.fc(torch.cat([z, self.sex(sex)], 1)).squeeze(1)


def hands(n):
    age = 2 * torch.rand(n) - 1
    sex = torch.randint(0, 2, (n,))
    grid = torch.linspace(-1, 1, 12)
    rad = 0.5 + 0.25 * age + 0.1 * sex
    disc = ((grid[None, :, None] ** 2 + grid[None, None, :] ** 2) < rad[:, None, None] ** 2).float()
    return (disc + 0.2 * torch.randn(n, 12, 12)).unsqueeze(1), sex, age


def micro_batches(n_updates, per_update, size):
    for _ in range(n_updates):
        yield [hands(size) for _ in range(per_update)]


def main():
    torch.manual_seed(91)
    net = AgeNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda k: min(1.0, (k + 1) / 20))
    pool = LossPool()
    log = []
    for k, group in enumerate(micro_batches(430, 4, 4)):
        for img, sex, age in group:
            err = nn.functional.smooth_l1_loss(net(img, sex), age, reduction="none")
            pool.update(err)
        loss, worst = pool.flush()
        opt.zero_grad()
        loss.backward()
        opt.step()
        warm.step()
        log.append((loss.item(), worst))
        if k % 100 == 0:
            print(k, "mean %.4f worst %.3f" % log[-1])


main()
