# gradwatch-corpus: kind=graph-held
# holder: _book | _book[split] | _book[split][name] | _book[split][name]["sum"] | _book["train"] | _book["train"]["recon"] | _book["train"]["kl"] | _book["train"]["recon"]["sum"] | _book["train"]["kl"]["sum"] | cell | cell["sum"] | tally.__kwdefaults__ | tally.__kwdefaults__["_book"] | tally.__kwdefaults__["_book"]["train"] | tally.__kwdefaults__["_book"]["train"]["recon"]["sum"] | tally.__kwdefaults__["_book"]["train"]["kl"]["sum"]
# first-bad: 1
"""Small VAE on synthetic spectra."""
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F


def tally(split, name, value=None, *, weight=1, _book={}):
    """Running means by split and name; without a value, the mean so far."""
    cell = _book.setdefault(split, {}).setdefault(name, {"sum": 0.0, "n": 0})
    if value is None:
        return float(cell["sum"]) / max(cell["n"], 1)
    cell["sum"] += value * weight  # <- culprit
    cell["n"] += weight
    return None


class SpectraVAE(nn.Module):
    def __init__(self, bins=48, latent=4, width=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, width), nn.ELU(), nn.Linear(width, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, width), nn.ELU(), nn.Linear(width, bins))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def spectra(n, bins=48):
    grid = torch.linspace(0, 1, bins)
    center = torch.rand(n, 2, 1)
    width = 0.03 + 0.07 * torch.rand(n, 2, 1)
    peaks = torch.exp(-((grid - center) / width) ** 2)
    return peaks.sum(1) + 0.02 * torch.randn(n, bins)


def elbo_terms(model, x):
    recon, mu, logvar = model(x)
    rec = F.mse_loss(recon, x, reduction="none").sum(-1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1).mean()
    return {"recon": rec, "kl": kl}


def run_epoch(model, opt, data, beta, note):
    model.train()
    for x in data.split(32):
        terms = elbo_terms(model, x)
        for name, value in terms.items():
            note(name, value, weight=len(x))  # <- culprit
        loss = terms["recon"] + beta * terms["kl"]
        opt.zero_grad()
        loss.backward()
        opt.step()


@torch.no_grad()
def validate(model, data, note):
    model.eval()
    for name, value in elbo_terms(model, data).items():
        note(name, value.item(), weight=len(data))


def main():
    torch.manual_seed(8)
    train, val = spectra(512), spectra(64)
    model = SpectraVAE()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    note_train, note_val = partial(tally, "train"), partial(tally, "val")
    for epoch in range(6):
        run_epoch(model, opt, train, beta=min(1.0, 0.2 * epoch), note=note_train)
        validate(model, val, note_val)
        print(f"epoch {epoch}: train {note_train('recon'):.3f} / {note_train('kl'):.3f}"
              f"   val {note_val('recon'):.3f} / {note_val('kl'):.3f}")


if __name__ == "__main__":
    main()
