import torch
from torch import nn
from torch.nn.functional import normalize


class Encoder(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, d, mode="mean", padding_idx=0)
        self.mlp = nn.Sequential(nn.Linear(d, d), nn.Tanh(), nn.Linear(d, d))

    def forward(self, ids):
        return normalize(self.mlp(self.bag(ids)), dim=-1)


def question_batch(passages, n):
    gold = torch.randint(0, len(passages), (n,))
    cols = torch.rand(n, passages.size(1)).argsort(1)[:, :4]
    return passages[gold].gather(1, cols), gold
