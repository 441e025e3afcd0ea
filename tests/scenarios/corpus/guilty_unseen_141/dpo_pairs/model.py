import torch
from torch import nn


class BagPolicy(nn.Module):
    """Prompt-conditioned autoregressive bigram policy."""

    def __init__(self, vocab, d):
        super().__init__()
        self.vocab = vocab
        self.tok = nn.Embedding(vocab, d)
        self.ctx = nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.SiLU(), nn.Linear(2 * d, vocab))

    def sequence_logp(self, prompt, answer):
        ctx = self.ctx(self.tok(prompt).mean(1, keepdim=True))
        prev = torch.cat([prompt[:, -1:], answer[:, :-1]], 1)
        lp = self.ff(self.tok(prev) + ctx).log_softmax(-1)
        return lp.gather(-1, answer.unsqueeze(-1)).squeeze(-1).sum(-1)
