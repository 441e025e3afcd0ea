# gradwatch-corpus: kind=second-backward
# first-bad: 0
# notice: 1
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(4)


class BaseModule(nn.Module):
    def training_step(self, batch):
        raise NotImplementedError

    def configure_optimizer(self):
        return torch.optim.Adam(self.parameters(), lr=2e-3)


class DenoisingAutoencoder(BaseModule):
    def __init__(self, dim=24, code=6, noise=0.2, sparsity=1e-3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, code))
        self.decoder = nn.Sequential(nn.Linear(code, 32), nn.ReLU(), nn.Linear(32, dim))
        self.noise = noise
        self.sparsity = sparsity

    def forward(self, x):
        code = self.encoder(x)
        return code, self.decoder(code)

    def training_step(self, batch):
        (x,) = batch
        code, recon = self(x + self.noise * torch.randn_like(x))
        loss = F.mse_loss(recon, x) + self.sparsity * code.abs().mean()
        if self.training:
            loss.backward()  # <- culprit
        return {"loss": loss, "code_norm": code.detach().norm(dim=1).mean().item()}


class Meter:
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def add(self, v):
        self.sum += v
        self.n += 1

    @property
    def mean(self):
        return self.sum / max(self.n, 1)


class Trainer:
    def __init__(self, max_epochs=5, clip=1.0):
        self.max_epochs = max_epochs
        self.clip = clip

    def fit(self, module, loader):
        opt = module.configure_optimizer()
        for epoch in range(self.max_epochs):
            module.train()
            meter = Meter()
            for batch in loader:
                opt.zero_grad()
                out = module.training_step(batch)
                out["loss"].backward()  # <- culprit
                nn.utils.clip_grad_norm_(module.parameters(), self.clip)
                opt.step()
                meter.add(out["loss"].item())
            print(f"epoch {epoch} loss {meter.mean:.4f}")


def sensor_readings(n=512, dim=24):
    latent = torch.randn(n, 5)
    return torch.tanh(latent @ torch.randn(5, dim)) + 0.05 * torch.randn(n, dim)


def main():
    loader = DataLoader(TensorDataset(sensor_readings()), batch_size=32, shuffle=True)
    Trainer().fit(DenoisingAutoencoder(), loader)


if __name__ == "__main__":
    main()
