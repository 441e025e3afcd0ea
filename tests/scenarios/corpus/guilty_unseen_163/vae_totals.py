# gradwatch-corpus: kind=graph-held
# holder: self.totals | trainer.totals
# first-bad: 1
"""VAE on random blobs, with a small trainer base class that prints epoch averages."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(13)


class BaseTrainer:
    def __init__(self, model, loader, lr):
        self.model = model
        self.loader = loader
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.totals = {}

    def track(self, **values):
        for name, v in values.items():
            self.totals[name] = self.totals.get(name, 0.0) + v  # <- culprit

    def summary(self):
        n = len(self.loader.dataset)
        return {k: float(v) / n for k, v in self.totals.items()}

    def compute(self, batch):
        raise NotImplementedError

    def fit(self, epochs):
        for epoch in range(epochs):
            self.totals = {}
            for batch in self.loader:
                loss = self.compute(batch)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            line = "  ".join(f"{k} {v:.3f}" for k, v in self.summary().items())
            print(f"epoch {epoch}  {line}")


class VAE(nn.Module):
    def __init__(self, d=64, h=48, z=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU())
        self.mu = nn.Linear(h, z)
        self.logvar = nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


class VAETrainer(BaseTrainer):
    beta = 0.5

    def compute(self, batch):
        (x,) = batch
        recon, mu, logvar = self.model(x)
        bce = F.binary_cross_entropy_with_logits(recon, x, reduction="sum")
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        self.track(bce=bce, kld=kld)  # <- culprit
        return (bce + self.beta * kld) / x.size(0)


def blobs(n=960, side=8):
    yy, xx = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    c = torch.rand(n, 2, 1, 1) * side
    img = torch.exp(-((xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2) / 4.0)
    return img.reshape(n, -1)


if __name__ == "__main__":
    loader = DataLoader(TensorDataset(blobs()), batch_size=32, shuffle=True)
    trainer = VAETrainer(VAE(), loader, lr=2e-3)
    trainer.fit(4)
