import torch
import torch.nn as nn
import torch.nn.functional as F


class Quantize(nn.Module):
    def __init__(self, dim, n_embed, decay=0.95, eps=1e-5):
        super().__init__()
        self.dim, self.n_embed, self.decay, self.eps = dim, n_embed, decay, eps
        embed = torch.randn(dim, n_embed)
        self.register_buffer("embed", embed)
        self.register_buffer("cluster_size", torch.zeros(n_embed))
        self.register_buffer("embed_avg", embed.clone())

    def forward(self, x):
        flat = x.reshape(-1, self.dim)
        dist = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.embed + self.embed.pow(2).sum(0, keepdim=True)
        ind = (-dist).max(1)[1]
        onehot = F.one_hot(ind, self.n_embed).type(flat.dtype)
        quantize = F.embedding(ind.view(*x.shape[:-1]), self.embed.t())
        if self.training:
            self.cluster_size.data.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
            self.embed_avg.data.mul_(self.decay).add_((flat.t() @ onehot).detach(), alpha=1 - self.decay)
            n = self.cluster_size.sum()
            size = (self.cluster_size + self.eps) / (n + self.n_embed * self.eps) * n
            self.embed.data.copy_(self.embed_avg / size.unsqueeze(0))
        diff = (quantize.detach() - x).pow(2).mean()
        quantize = x + (quantize - x).detach()
        probs = onehot.mean(0)
        return quantize, diff, torch.exp(-(probs * torch.log(probs + 1e-10)).sum())


class VQVAE(nn.Module):
    def __init__(self, channel=16, dim=8, n_embed=24):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, channel, 4, 2, 1), nn.ReLU(), nn.Conv2d(channel, dim, 1))
        self.quantize = Quantize(dim, n_embed)
        self.dec = nn.Sequential(nn.Conv2d(dim, channel, 3, 1, 1), nn.ReLU(), nn.ConvTranspose2d(channel, 1, 4, 2, 1))

    def forward(self, x):
        quant, diff, perplexity = self.quantize(self.enc(x).permute(0, 2, 3, 1))
        return self.dec(quant.permute(0, 3, 1, 2)), diff, perplexity
