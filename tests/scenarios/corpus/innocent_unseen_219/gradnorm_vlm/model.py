import torch
import torch.nn as nn
import torch.nn.functional as F


class PatchEncoder(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.patch = nn.Conv2d(3, dim, 4, stride=4)
        self.pos = nn.Parameter(torch.randn(16, dim) * 0.02)
        self.mix = nn.TransformerEncoderLayer(dim, 4, 2 * dim, dropout=0.0, batch_first=True)

    def forward(self, img):
        x = self.patch(img).flatten(2).transpose(1, 2) + self.pos
        return self.mix(x)


class TextEncoder(nn.Module):
    def __init__(self, vocab=50, dim=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)

    def forward(self, ids):
        return self.rnn(self.emb(ids))[1][-1]


class VLM(nn.Module):
    def __init__(self, dim=48, vocab=50):
        super().__init__()
        self.vision, self.text = PatchEncoder(dim), TextEncoder(vocab, dim)
        self.shared = nn.Linear(dim, dim)
        self.itm = nn.Linear(2 * dim, 1)
        self.bow = nn.Linear(dim, vocab)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def losses(self, img, ids):
        v = self.shared(self.vision(img).mean(1))
        t = self.shared(self.text(ids))
        sim = F.normalize(v, dim=-1) @ F.normalize(t, dim=-1).t() * self.scale.exp()
        y = torch.arange(len(img))
        itc = 0.5 * (F.cross_entropy(sim, y) + F.cross_entropy(sim.t(), y))
        rolled = t.roll(1, 0)
        logit = self.itm(torch.cat([torch.cat([v, t], -1), torch.cat([v, rolled], -1)])).squeeze(-1)
        target = torch.cat([torch.ones(len(img)), torch.zeros(len(img))])
        itm = F.binary_cross_entropy_with_logits(logit, target)
        bag = torch.zeros(len(img), self.bow.out_features).scatter_(1, ids, 1.0)
        cap = F.binary_cross_entropy_with_logits(self.bow(v), bag)
        return [itc, itm, cap]
