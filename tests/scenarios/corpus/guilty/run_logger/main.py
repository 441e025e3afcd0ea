# gradwatch-corpus: kind=graph-held
# holder: self.pending | self.backend.pending | logger.backend.pending | self._pending
# holder: self.backend._pending | logger.backend._pending | backend._pending
# about: a logger two calls away buffers scalars until close(), and nobody turned them into numbers
import torch
from logging_tools.logger import RunLogger
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(32, 12), nn.ReLU())
        self.decoder = nn.Linear(12, 32)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(logger, steps=60):
    model = Autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(steps):
        x = torch.rand(16, 32)
        recon = nn.functional.mse_loss(model(x), x)
        sparsity = model.encoder(x).abs().mean()
        loss = recon + 1e-3 * sparsity
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.log(step, recon=recon, sparsity=sparsity)  # <- culprit


if __name__ == "__main__":
    torch.manual_seed(0)
    logger = RunLogger("autoencoder")
    train(logger)
    logger.close()
