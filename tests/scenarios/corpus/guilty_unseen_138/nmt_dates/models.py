import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, n_tok, hidden):
        super().__init__()
        self.emb = nn.Embedding(n_tok, hidden)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)

    def forward(self, src):
        return self.gru(self.emb(src))


class AttnDecoder(nn.Module):
    def __init__(self, n_tok, hidden):
        super().__init__()
        self.emb = nn.Embedding(n_tok, hidden)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.cell = nn.GRUCell(2 * hidden, hidden)
        self.out = nn.Linear(2 * hidden, n_tok)
        self.attn_log = []

    def attend(self, h, memory):
        score = torch.einsum("bh,bsh->bs", self.query(h), memory)
        w = F.softmax(score, dim=-1)
        return torch.einsum("bs,bsh->bh", w, memory), w

    def forward(self, tgt_in, h, memory):
        logits, maps = [], []
        for t in range(tgt_in.size(1)):
            ctx, w = self.attend(h, memory)
            h = self.cell(torch.cat([self.emb(tgt_in[:, t]), ctx], -1), h)
            logits.append(self.out(torch.cat([h, ctx], -1)))
            maps.append(w)
        self.attn_log.append(torch.stack(maps, 1))  # <- culprit
        return torch.stack(logits, 1)


class Translator(nn.Module):
    def __init__(self, n_src, n_tgt, hidden):
        super().__init__()
        self.encoder = Encoder(n_src, hidden)
        self.decoder = AttnDecoder(n_tgt, hidden)

    def forward(self, src, tgt_in):
        memory, h = self.encoder(src)
        return self.decoder(tgt_in, h[0], memory)


def sharpness(attn):
    return attn.max(-1).values.mean().item()
