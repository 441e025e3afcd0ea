# gradwatch-corpus: kind=graph-held
# holder: vae.enc.weight._backward_hooks | self.enc.weight._backward_hooks | model.enc.weight._backward_hooks | weight._backward_hooks
# first-bad: 1
# notice: 8
# Negative-binomial autoencoder on toy single-cell counts.
from functools import partial
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(15)

GENES, LATENT, CELLS = 18, 3, 24
loadings = torch.randn(4, GENES) * 0.7


def draw_cells(n=CELLS):
    kind = torch.randint(4, (n,))
    mean = torch.exp(loadings[kind] + 0.5)
    return torch.poisson(mean * torch.distributions.Gamma(5.0, 5.0).sample((n, 1)))


class CountVAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(GENES, 14)
        self.mu, self.logvar = nn.Linear(14, LATENT), nn.Linear(14, LATENT)
        self.dec = nn.Sequential(nn.Linear(LATENT, 14), nn.Softplus(), nn.Linear(14, GENES))
        self.log_r = nn.Parameter(torch.ones(GENES))

    def forward(self, counts):
        h = torch.relu(self.enc(torch.log1p(counts)))
        mu, lv = self.mu(h), self.logvar(h).clamp(-5, 3)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        return self.dec(z), mu, lv

    def elbo(self, counts, beta):
        logits, mu, lv = self(counts)
        rec = torch.distributions.NegativeBinomial(self.log_r.exp(), logits=logits).log_prob(counts).sum(1).mean()
        kl = 0.5 * (mu ** 2 + lv.exp() - 1 - lv).sum(1).mean()
        return rec - beta * kl, kl


signal_to_kl = {}


def note_ratio(epoch, kl, grad):
    if epoch not in signal_to_kl:
        signal_to_kl[epoch] = grad.norm().item() / (1e-6 + kl.item())


def prepare(model, epoch, kl):
    model.enc.weight.register_hook(partial(note_ratio, epoch, kl))  # <- culprit


def train(model, epochs):
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for epoch in range(epochs):
        beta = min(1.0, epoch / 100)
        bound, kl = model.elbo(draw_cells(), beta)
        prepare(model, epoch, kl)
        opt.zero_grad()
        (-bound).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        if epoch % 60 == 59:
            print(f"{epoch + 1:4d} elbo {bound.item():8.3f} kl {kl.item():.3f} ratio {signal_to_kl[epoch]:.2f}")
    return model


vae = train(CountVAE(), 300)
top = sorted(signal_to_kl.items(), key=lambda kv: -kv[1])[:3]
print("epochs with the strongest pull", [e for e, _ in top])
