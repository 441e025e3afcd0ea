# gradwatch-corpus: kind=graph-held
# holder: totals | totals[k] | totals[name] | totals["rec"] | totals["kl"] | totals["total"]
# first-bad: 1
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

latent_dim = 4
batch_size = 25
epochs = 3
beta = 0.5
torch.manual_seed(0)


def make_blobs(n, side=12):
    g = torch.arange(side).float()
    c = 2 + torch.rand(n, 2) * (side - 4)
    s = 1 + 1.5 * torch.rand(n, 1, 1)
    dx = (g[None, None, :] - c[:, 0, None, None]) ** 2
    dy = (g[None, :, None] - c[:, 1, None, None]) ** 2
    return torch.exp(-(dx + dy) / (2 * s ** 2)).reshape(n, -1)


class VAE(nn.Module):
    def __init__(self, d_in):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(d_in, 64)
        self.fc_mu = nn.Linear(64, latent_dim)
        self.fc_logvar = nn.Linear(64, latent_dim)
        self.fc3 = nn.Linear(latent_dim, 64)
        self.fc4 = nn.Linear(64, d_in)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.fc_mu(h), self.fc_logvar(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + std * torch.randn_like(std)

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x)
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    rec = F.binary_cross_entropy(recon_x, x, reduction="sum") / len(x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / len(x)
    return {"total": rec + beta * kl, "rec": rec, "kl": kl}


def train(epoch):
    model.train()
    totals = defaultdict(float)
    for i, (x,) in enumerate(train_loader):
        optimizer.zero_grad()
        recon, mu, logvar = model(x)
        losses = loss_function(recon, x, mu, logvar)
        losses["total"].backward()
        optimizer.step()
        for name, value in losses.items():
            totals[name] += value  # <- culprit
        if i % 16 == 0:
            print("Train Epoch: {} [{}/{}]\tLoss: {:.4f}".format(
                epoch, i * len(x), len(train_loader.dataset), losses["total"].item()))
    line = "  ".join("%s %.3f" % (name, t / len(train_loader)) for name, t in totals.items())
    print("====> Epoch: {} {}".format(epoch, line))


def test(epoch):
    model.eval()
    test_loss = 0
    with torch.no_grad():
        for (x,) in test_loader:
            recon, mu, logvar = model(x)
            test_loss += loss_function(recon, x, mu, logvar)["total"].item()
    print("====> Test set loss: {:.4f}".format(test_loss / len(test_loader)))


train_loader = DataLoader(TensorDataset(make_blobs(1000)), batch_size=batch_size, shuffle=True)
test_loader = DataLoader(TensorDataset(make_blobs(200)), batch_size=batch_size)
model = VAE(144)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

for epoch in range(1, epochs + 1):
    train(epoch)
    test(epoch)
