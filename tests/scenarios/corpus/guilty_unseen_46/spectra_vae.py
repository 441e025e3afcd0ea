# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
# Variational autoencoder for Raman spectra (made-up peaks).
# First some epochs with full noise, later the noise is turned down so that the
# decoder can sharpen the peaks.
import argparse

import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser(description="VAE spectra example")
parser.add_argument("--batch-size", type=int, default=50)
parser.add_argument("--epochs", type=int, default=6)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--log-interval", type=int, default=10)
parser.add_argument("--cool-after", type=int, default=2, help="epochs with full noise")
parser.add_argument("--cooling", type=float, default=0.7)
args = parser.parse_args()
torch.manual_seed(args.seed)

N_BINS = 200


class Spectra(Dataset):
    def __init__(self, n):
        axis = torch.linspace(0, 1, N_BINS)
        centres = torch.tensor([0.2, 0.45, 0.7]) + 0.02 * torch.randn(n, 3)
        heights = torch.rand(n, 3)
        peaks = heights[..., None] * torch.exp(-((axis - centres[..., None]) / 0.03) ** 2)
        self.x = (peaks.sum(1) + 0.02 * torch.randn(n, N_BINS)).clamp(0, 1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i]


class VAE(nn.Module):
    def __init__(self, latent=8):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(N_BINS, 80)
        self.fc21 = nn.Linear(80, latent)
        self.fc22 = nn.Linear(80, latent)
        self.fc3 = nn.Linear(latent, 80)
        self.fc4 = nn.Linear(80, N_BINS)
        self.temperature = 1.0

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        if self.temperature < 1.0:
            std *= self.temperature  # <- culprit
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    MSE = F.mse_loss(recon_x, x, reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return 20 * MSE + KLD


train_loader = DataLoader(Spectra(1000), batch_size=args.batch_size, shuffle=True)
test_x = Spectra(200).x
model = VAE()
optimizer = optim.Adam(model.parameters(), lr=1e-3)


def train(epoch):
    model.train()
    train_loss = 0
    for batch_idx, data in enumerate(train_loader):
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss = loss_function(recon_batch, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
        if batch_idx % args.log_interval == 0:
            print("Train Epoch: {} [{}/{}]\tLoss: {:.4f}".format(
                epoch, batch_idx * len(data), len(train_loader.dataset), loss.item() / len(data)))
    print("====> Epoch: {} Average loss: {:.4f}".format(epoch, train_loss / len(train_loader.dataset)))


def test(epoch):
    model.eval()
    with torch.no_grad():
        recon, mu, logvar = model(test_x)
        print("====> Test set loss: {:.4f}".format(loss_function(recon, test_x, mu, logvar).item() / len(test_x)))


for epoch in range(1, args.epochs + 1):
    if epoch > args.cool_after:
        model.temperature *= args.cooling
    train(epoch)
    test(epoch)
