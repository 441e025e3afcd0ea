import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, feat, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(feat, hidden), nn.ReLU(), nn.Linear(hidden, hidden))

    def forward(self, grid):
        return self.net(grid)


class Attention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.q = nn.Linear(hidden, hidden)
        self.v = nn.Linear(hidden, 1)

    def forward(self, state, cells):
        e = self.v(torch.tanh(self.q(state).unsqueeze(1) + cells)).squeeze(-1)
        alpha = torch.softmax(e, dim=-1)
        return (alpha.unsqueeze(-1) * cells).sum(1), alpha


class Decoder(nn.Module):
    def __init__(self, n_words, hidden):
        super().__init__()
        self.emb = nn.Embedding(n_words, hidden)
        self.attend = Attention(hidden)
        self.cell = nn.GRUCell(2 * hidden, hidden)
        self.out = nn.Linear(2 * hidden, n_words)
        self.attn_maps = []

    def forward(self, cells, words):
        h = cells.mean(1)
        outputs, alphas = [], []
        for t in range(words.shape[1]):
            context, alpha = self.attend(h, cells)
            h = self.cell(torch.cat([self.emb(words[:, t]), context], dim=-1), h)
            outputs.append(self.out(torch.cat([h, context], dim=-1)))
            alphas.append(alpha)
        alphas = torch.stack(alphas, dim=1)
        if self.training:
            self.attn_maps.append(alphas[0])  # <- culprit
        return torch.stack(outputs, dim=1), alphas


class Captioner(nn.Module):
    def __init__(self, n_words, feat, hidden):
        super().__init__()
        self.encoder = Encoder(feat, hidden)
        self.decoder = Decoder(n_words, hidden)

    def forward(self, grid, words):
        return self.decoder(self.encoder(grid), words)
