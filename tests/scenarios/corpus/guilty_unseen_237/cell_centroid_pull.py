# gradwatch-corpus: kind=graph-chain
# holder: bank.centroids | self.centroids
# first-bad: 1
"""scRNA-seq: linear-tanh projection with a decoder and a pull towards per-type centroids."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    n_genes: int = 120
    n_types: int = 6
    latent: int = 10
    batch: int = 64
    steps: int = 120
    rate: float = 0.1
    pull: float = 0.3
    lr: float = 3e-3
    seed: int = 2024


CFG = Config()


def simulate_counts(cfg, gen):
    profiles = torch.rand(cfg.n_types, cfg.n_genes, generator=gen) * 3
    labels = torch.randint(0, cfg.n_types, (3000,), generator=gen)
    counts = torch.poisson(profiles[labels], generator=gen)
    return torch.log1p(counts), labels


class Projector(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encode = nn.Linear(cfg.n_genes, cfg.latent)
        self.decode = nn.Sequential(
            nn.Linear(cfg.latent, 48),
            nn.ELU(),
            nn.Linear(48, cfg.n_genes),
        )

    def forward(self, x):
        z = torch.tanh(self.encode(x))
        return z, self.decode(z)


class CentroidBank:
    def __init__(self, n_types, dim, rate):
        self.rate = rate
        self.centroids = torch.zeros(n_types, dim)
        self.seen = torch.zeros(n_types, dtype=torch.long)

    def _batch_means(self, z, labels):
        onehot = nn.functional.one_hot(labels, len(self.seen)).float()
        n = onehot.sum(0)
        means = onehot.t() @ z / n.clamp(min=1).unsqueeze(1)
        return means, n > 0

    def update(self, z, labels):
        means, present = self._batch_means(z, labels)  # <- culprit
        blended = (1 - self.rate) * self.centroids + self.rate * means  # <- culprit
        self.centroids = torch.where(present.unsqueeze(1), blended, self.centroids)  # <- culprit
        self.seen += present.long()

    def pull(self, z, labels):
        return (z - self.centroids[labels]).pow(2).sum(1).mean()


def purity(z, labels, centroids):
    nearest = torch.cdist(z, centroids).argmin(1)
    return (nearest == labels).float().mean().item()


def fit(cfg):
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    cells, labels = simulate_counts(cfg, gen)
    net = Projector(cfg)
    bank = CentroidBank(cfg.n_types, cfg.latent, cfg.rate)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    log = {"recon": [], "pull": [], "purity": []}

    for step in range(cfg.steps):
        pick = torch.randint(0, len(cells), (cfg.batch,), generator=gen)
        x = cells[pick]
        y = labels[pick]
        z, x_hat = net(x)
        recon = nn.functional.mse_loss(x_hat, x)
        bank.update(z, y)  # <- culprit
        pull = bank.pull(z, y)
        loss = recon + cfg.pull * pull

        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()

        log["recon"].append(recon.item())
        log["pull"].append(pull.item())
        if step % 30 == 29:
            with torch.no_grad():
                z_all, _ = net(cells[:500])
                log["purity"].append(purity(z_all, labels[:500], bank.centroids))
            print(f"step {step + 1:4d} recon={recon.item():.3f} pull={pull.item():.3f} purity={log['purity'][-1]:.2f}")
    return log


if __name__ == "__main__":
    history = fit(CFG)
    print({k: round(v[-1], 4) for k, v in history.items()})
