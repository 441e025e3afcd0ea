import torch
import torch.nn as nn
import torch.nn.functional as F


class PieceTagger(nn.Module):
    def __init__(self, vocab, tags, emb=16, hidden=32):
        super().__init__()
        self.hidden = hidden
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, tags)

    def forward(self, tokens, h0):
        y, hn = self.rnn(self.emb(tokens), h0)
        return self.out(y), hn


class OnlineTagger:
    def __init__(self, model, sessions, lr):
        self.model = model
        self.sessions = sessions
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def _forward(self, sids, tokens):
        logits, hn = self.model(tokens, self.sessions.gather(sids))
        self.sessions.scatter(sids, hn)  # <- culprit
        return logits

    def serve_and_learn(self, sids, tokens, tags):
        """Answer first, then use the labels."""
        logits = self._forward(sids, tokens)
        answer = logits.detach().argmax(-1)
        self.opt.zero_grad()
        F.cross_entropy(logits.flatten(0, 1), tags.flatten()).backward()
        self.opt.step()
        return answer
