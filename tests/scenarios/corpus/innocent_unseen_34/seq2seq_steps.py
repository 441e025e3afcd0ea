# gradwatch-corpus: kind=none
"""Encoder-decoder for reversing digit strings; loss summed over the output positions."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

PAD, SOS, N_SYM = 0, 1, 12


class Encoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.emb = nn.Embedding(N_SYM, hidden)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)

    def forward(self, x):
        _, h = self.gru(self.emb(x))
        return h.squeeze(0)


class Decoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.emb = nn.Embedding(N_SYM, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.out = nn.Linear(hidden, N_SYM)

    def forward(self, token, h):
        h = self.cell(self.emb(token), h)
        return self.out(h), h


class Seq2SeqTrainer:
    def __init__(self, hidden=40, lr=4e-3, teacher_forcing=0.7):
        self.enc, self.dec = Encoder(hidden), Decoder(hidden)
        params = list(self.enc.parameters()) + list(self.dec.parameters())
        self.opt = torch.optim.Adam(params, lr=lr)
        self.tf = teacher_forcing
        self.total_loss = None
        self.hidden = None
        self.attn_trace = []

    def train_batch(self, src, tgt):
        self.total_loss = 0.0
        self.attn_trace.clear()
        self.hidden = self.enc(src)
        token = torch.full((len(src),), SOS)
        for pos in range(tgt.size(1)):
            logits, self.hidden = self.dec(token, self.hidden)
            self.attn_trace.append(logits)
            loss = F.cross_entropy(logits, tgt[:, pos])
            self.total_loss += loss
            if random.random() < self.tf:
                token = tgt[:, pos]
            else:
                token = logits.argmax(1)
        # small penalty on confident guesses
        logits = torch.stack(self.attn_trace, 1)
        entropy = torch.distributions.Categorical(logits=logits).entropy().mean()
        objective = self.total_loss / tgt.size(1) - 0.01 * entropy
        self.opt.zero_grad()
        objective.backward()
        self.opt.step()
        return objective.item()

    @torch.no_grad()
    def exact(self, src, tgt):
        h, token, out = self.enc(src), torch.full((len(src),), SOS), []
        for _ in range(tgt.size(1)):
            logits, h = self.dec(token, h)
            token = logits.argmax(1)
            out.append(token)
        return (torch.stack(out, 1) == tgt).float().mean().item()


def batch(n=32, length=5):
    src = torch.randint(2, N_SYM, (n, length))
    return src, src.flip(1)


def main():
    random.seed(0)
    torch.manual_seed(0)
    trainer = Seq2SeqTrainer()
    losses = []
    for step in range(1, 121):
        losses.append(trainer.train_batch(*batch()))
        if step % 30 == 0:
            mean = sum(losses[-30:]) / 30
            print(f"step {step} loss {mean:.3f} token acc {trainer.exact(*batch(128)):.3f}")


if __name__ == "__main__":
    main()
