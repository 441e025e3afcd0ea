import torch.nn.functional as F
from torch import nn

from quantize import EMAQuantizer


class VQVAE(nn.Module):
    def __init__(self, n_codes, dim):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(1, 16, 4, 2, 1), nn.ReLU(),
            nn.Conv2d(16, dim, 4, 2, 1),
        )
        self.quantizer = EMAQuantizer(n_codes, dim)
        self.dec = nn.Sequential(
            nn.ConvTranspose2d(dim, 16, 4, 2, 1), nn.ReLU(),
            nn.ConvTranspose2d(16, 1, 4, 2, 1),
        )

    def forward(self, x):
        z = self.enc(x)
        q, commit, ppl = self.quantizer(z)
        return {
            "recon": F.mse_loss(self.dec(q).sigmoid(), x),
            "commit": commit,
            "perplexity": ppl,
        }
