# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Train the load-profile VAE and print a few prior draws at the end of every epoch."""
import torch

from .data import loader
from .model import ProfileVAE


class BetaSchedule:
    def __init__(self, warm):
        self.warm = warm
        self.t = 0

    def __call__(self):
        self.t += 1
        return min(1.0, self.t / self.warm)


def fit(model, batches, epochs, lr=1e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    beta = BetaSchedule(200)
    for epoch in range(epochs):
        model.train()
        model.prior.build()  # <- culprit
        recon_sum = kl_sum = 0.0
        for (x,) in batches:
            objective, recon, kl = model.elbo(x, beta())
            optimizer.zero_grad()
            (-objective).backward()
            optimizer.step()
            recon_sum += recon
            kl_sum += kl
        model.eval()
        with torch.no_grad():
            peak = model.decoder(model.prior.sample(64)).max(dim=1).values.mean()
        print(f"epoch {epoch:2d}  recon {recon_sum / len(batches):8.2f}  kl {kl_sum / len(batches):6.2f}  peak {peak:.2f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    fit(ProfileVAE(48), loader(), epochs=14)
