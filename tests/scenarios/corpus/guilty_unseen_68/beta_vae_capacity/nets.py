import torch
from torch import nn


class BinaryVAE(nn.Module):
    def __init__(self, d_in, d_hid, d_lat):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d_in, d_hid), nn.Softplus(), nn.Linear(d_hid, 2 * d_lat))
        self.dec = nn.Sequential(nn.Linear(d_lat, d_hid), nn.Softplus(), nn.Linear(d_hid, d_in))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.exp(0.5 * logvar) * torch.randn_like(mu)
        return self.dec(z), mu, logvar
