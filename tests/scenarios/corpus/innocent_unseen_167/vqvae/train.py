import torch
import torch.nn.functional as F

from .layers import VQVAE


class Trainer:
    latent_loss_weight = 0.25

    def __init__(self):
        self.model = VQVAE()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.mse_sum, self.mse_n = 0.0, 0
        self.samples = None

    def images(self, n=12):
        freq = 1 + 3 * torch.rand(n, 1, 1, 1)
        grid = torch.linspace(0, 6.28, 12)
        return torch.sin(freq * grid.view(1, 1, 12, 1)) * torch.cos(grid.view(1, 1, 1, 12)) + torch.zeros(n, 1, 12, 12)

    def step(self, img):
        self.model.zero_grad()
        out, latent_loss, perplexity = self.model(img)
        recon = F.mse_loss(out, img)
        loss = recon + self.latent_loss_weight * latent_loss.mean()
        loss.backward()
        self.opt.step()
        self.mse_sum += recon.item() * img.shape[0]
        self.mse_n += img.shape[0]
        return latent_loss, perplexity

    def fit(self, iters):
        for i in range(iters):
            latent, perplexity = self.step(self.images())
            if (i + 1) % 40 == 0:
                self.model.eval()
                with torch.no_grad():
                    self.samples = self.model(self.images(4))[0]
                self.model.train()
                print(f"iter {i + 1} mse {self.mse_sum / self.mse_n:.4f} latent {latent.item():.4f} ppl {perplexity.item():.1f}")
