# gradwatch-corpus: kind=graph-held
# holder: self.total | meters["kl"].total | self.meters["kl"].total | kl_meter.total
# first-bad: 1
import torch
from torch import nn
from torch.nn import functional as F


class RunMeter:
    def __init__(self):
        self.total = 0.0
        self.n = 0

    def add(self, value, n):
        self.total = self.total + value * n  # <- culprit
        self.n += n

    def mean(self):
        return float(self.total) / max(1, self.n)


class VAE(nn.Module):
    def __init__(self, d=64, h=48, z=6):
        super().__init__()
        self.fc1 = nn.Linear(d, h)
        self.fc21 = nn.Linear(h, z)
        self.fc22 = nn.Linear(h, z)
        self.fc3 = nn.Linear(z, h)
        self.fc4 = nn.Linear(h, d)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + torch.randn_like(std) * std

    def decode(self, z):
        return self.fc4(F.relu(self.fc3(z)))

    def forward(self, x):
        mu, logvar = self.encode(x)
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon, x, mu, logvar):
    bce = F.binary_cross_entropy_with_logits(recon, x, reduction="sum") / len(x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / len(x)
    return bce, kl


def digits(n):
    proto = (torch.rand(10, 64, generator=torch.Generator().manual_seed(1)) > 0.6).float()
    x = proto[torch.randint(0, 10, (n,))]
    flip = torch.rand(n, 64) < 0.08
    return torch.where(flip, 1 - x, x)


def main():
    torch.manual_seed(70)
    data, test = digits(2000), digits(300)
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    meters = {"bce": RunMeter(), "kl": RunMeter()}
    for epoch in range(8):
        beta = min(1.0, (epoch + 1) / 4)
        for x in data[torch.randperm(len(data))].split(32):
            optimizer.zero_grad()
            recon, mu, logvar = model(x)
            bce, kl = loss_function(recon, x, mu, logvar)
            loss = bce + beta * kl
            loss.backward()
            optimizer.step()
            meters["bce"].add(bce.item(), len(x))
            meters["kl"].add(kl, len(x))  # <- culprit
        with torch.no_grad():
            t_bce, t_kl = loss_function(model(test)[0], test, *model.encode(test))
        print(f"epoch {epoch} run bce {meters['bce'].mean():.3f} kl {meters['kl'].mean():.3f} "
              f"test {(t_bce + t_kl).item():.3f}")


if __name__ == "__main__":
    main()
