# gradwatch-corpus: kind=graph-held
# holder: self.training_step_outputs | module.training_step_outputs | model.training_step_outputs | self.module.training_step_outputs
# first-bad: 1
"""Small VAE on procedurally drawn bars, driven by the liteloop package."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from liteloop import LiteModule, LiteTrainer


class Bars(Dataset):
    def __init__(self, n=480, side=10, seed=0):
        gen = torch.Generator().manual_seed(seed)
        imgs = torch.zeros(n, side, side)
        where = torch.randint(0, side, (n, 2), generator=gen)
        rows = torch.rand(n, generator=gen) < 0.5
        for img, (a, b), is_row in zip(imgs, where.tolist(), rows.tolist()):
            for k in (a, b):
                if is_row:
                    img[k] = 1.0
                else:
                    img[:, k] = 1.0
        self.imgs = imgs.flatten(1)

    def __len__(self):
        return len(self.imgs)

    def __getitem__(self, i):
        return self.imgs[i]


class VAE(LiteModule):
    def __init__(self, d=100, h=64, z=6, beta=0.2):
        super().__init__()
        self.beta = beta
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar

    def training_step(self, batch, batch_idx):
        recon, mu, logvar = self(batch)
        rec = F.binary_cross_entropy_with_logits(recon, batch, reduction="none").sum(1).mean()
        kl = 0.5 * (mu.square() + logvar.exp() - 1 - logvar).sum(1).mean()
        return {"loss": rec + self.beta * kl, "rec": rec, "kl": kl}

    def on_train_epoch_end(self):
        last = self.training_step_outputs[-self.trainer.num_batches:]
        rec = torch.stack([o["rec"] for o in last]).mean().item()
        kl = torch.stack([o["kl"] for o in last]).mean().item()
        print(f"epoch {self.trainer.current_epoch}: rec {rec:.2f} kl {kl:.2f}")

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=2e-3)


if __name__ == "__main__":
    torch.manual_seed(1)
    trainer = LiteTrainer(max_epochs=8)
    trainer.fit(VAE(), DataLoader(Bars(), batch_size=40, shuffle=True))
