# gradwatch-corpus: kind=graph-held
# holder: meters["kld"].sum | meters["recon"].sum | self.sum | self.avg | meters["kld"] | meters["recon"] | meters
# first-bad: 1
# notice: 8
"""beta-VAE on toy 1-d shapes. Usage: python main.py"""
import torch

torch.set_num_threads(1)

from data import shape_loader
from models import BetaVAE
from utils import AverageMeter, linear_warmup


def elbo_terms(x_hat, x, mu, logvar):
    recon = torch.nn.functional.mse_loss(x_hat, x, reduction="none").sum(1).mean()
    kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return recon, kld


def run_epoch(model, loader, opt, beta, meters):
    model.train()
    for x in loader:
        x_hat, mu, logvar = model(x)
        recon, kld = elbo_terms(x_hat, x, mu, logvar)
        loss = recon + beta * kld
        opt.zero_grad()
        loss.backward()
        opt.step()
        meters["loss"].update(loss.item(), x.size(0))
        meters["recon"].update(recon, x.size(0))  # <- culprit
        meters["kld"].update(kld, x.size(0))  # <- culprit


def main():
    torch.manual_seed(11)
    model = BetaVAE(n_in=24, n_hidden=32, n_latent=4)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    meters = {k: AverageMeter(k) for k in ("loss", "recon", "kld")}
    epochs = 15
    for ep in range(epochs):
        beta = linear_warmup(ep, 5, 2.0)
        run_epoch(model, shape_loader(n=512, batch=16, seed=ep), opt, beta, meters)
        print(f"epoch {ep:02d} beta {beta:.2f} " + " ".join(str(m) for m in meters.values()))


if __name__ == "__main__":
    main()
