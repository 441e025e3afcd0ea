# gradwatch-corpus: kind=none
"""
GAN on 2-d rotor orbits with Lightning's manual optimisation. One forward pass of the
generator per batch serves both players; feature matching uses the discriminator's hidden layer.
"""
import logging
import shutil
import tempfile
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
import lightning.pytorch as pl
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def orbits(n):
    phi = torch.rand(n) * 2 * torch.pi
    r = 1 + 0.2 * torch.cos(3 * phi) + 0.03 * torch.randn(n)
    return torch.stack([r * phi.cos(), 0.6 * r * phi.sin()], 1)


class Disc(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.feat = nn.Sequential(nn.Linear(2, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2))
        self.out = nn.Linear(h, 1)

    def forward(self, x):
        f = self.feat(x)
        return self.out(f), f


class OrbitGAN(pl.LightningModule):
    def __init__(self, z_dim=6, lr=1e-3, fm=0.5):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.gen = nn.Sequential(nn.Linear(z_dim, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
        self.disc = Disc()
        self.register_buffer("feat_mean", torch.zeros(32))
        self.fakes = None
        self.epoch_log = []

    def _d_loss(self, real, fake):
        p_real, f_real = self.disc(real)
        p_fake, _ = self.disc(fake.detach())
        with torch.no_grad():
            self.feat_mean.lerp_(f_real.mean(0), 0.1)
        bce = F.binary_cross_entropy_with_logits
        return bce(p_real, torch.full_like(p_real, 0.9)) + bce(p_fake, torch.zeros_like(p_fake))

    def _g_loss(self, fake):
        p, f = self.disc(fake)
        adv = F.softplus(-p).mean()
        match = F.mse_loss(f.mean(0), self.feat_mean)
        return adv + self.hparams.fm * match, match

    def training_step(self, batch, batch_idx):
        (real,) = batch
        opt_g, opt_d = self.optimizers()
        z = torch.randn(len(real), self.hparams.z_dim)
        fake = self.gen(z)
        self.fakes = fake

        self.toggle_optimizer(opt_d)
        d_loss = self._d_loss(real, fake)
        opt_d.zero_grad()
        self.manual_backward(d_loss)
        opt_d.step()
        self.untoggle_optimizer(opt_d)

        self.toggle_optimizer(opt_g)
        g_loss, match = self._g_loss(self.fakes)
        opt_g.zero_grad()
        self.manual_backward(g_loss, retain_graph=True)
        opt_g.step()
        self.untoggle_optimizer(opt_g)
        self.log_dict({"d_loss": d_loss, "g_loss": g_loss, "match": match}, on_step=False, on_epoch=True)
        return {"loss": g_loss, "fake": fake}

    def on_train_batch_end(self, outputs, batch, batch_idx):
        self.log("radius", outputs["fake"].norm(dim=1).mean(), on_step=False, on_epoch=True)

    def on_train_epoch_end(self):
        self.epoch_log.append({k: round(v.item(), 3) for k, v in self.trainer.callback_metrics.items()})

    def configure_optimizers(self):
        kw = dict(lr=self.hparams.lr, betas=(0.5, 0.99))
        return torch.optim.Adam(self.gen.parameters(), **kw), torch.optim.Adam(self.disc.parameters(), **kw)


def main():
    pl.seed_everything(1, verbose=False)
    root = tempfile.mkdtemp()
    try:
        gan = OrbitGAN()
        trainer = pl.Trainer(
            max_epochs=8, accelerator="cpu", logger=False, enable_checkpointing=False,
            enable_progress_bar=False, enable_model_summary=False, default_root_dir=root,
        )
        trainer.fit(gan, DataLoader(TensorDataset(orbits(2560)), batch_size=64, shuffle=True))
        for e, row in enumerate(gan.epoch_log):
            if e % 2:
                print(e, row)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
