import torch
import torch.nn as nn
import torch.nn.functional as F


class FrozenTextEncoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 1)
        self.proj = nn.Linear(dim, dim)
        self.requires_grad_(False)

    def forward(self, tokens):
        return F.normalize(self.proj(self.body(tokens).mean(1)), dim=-1)


class FrozenImageEncoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, dim))
        self.requires_grad_(False)

    @torch.no_grad()
    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class PromptLearner(nn.Module):
    def __init__(self, class_tokens, n_ctx=4):
        super().__init__()
        self.ctx = nn.Parameter(0.02 * torch.randn(n_ctx, class_tokens.shape[-1]))
        self.register_buffer("class_tokens", class_tokens)

    def forward(self):
        n = len(self.class_tokens)
        return torch.cat([self.ctx.expand(n, -1, -1), self.class_tokens], dim=1)
