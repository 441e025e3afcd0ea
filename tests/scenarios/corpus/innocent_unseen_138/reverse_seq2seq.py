# gradwatch-corpus: kind=none
"""Seq2seq with attention that learns to reverse digit strings (scheduled teacher forcing, plot of the last attention)."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

torch.set_num_threads(1)
torch.manual_seed(33)
random.seed(33)

SOS, EOS, MAX_LENGTH = 0, 1, 8


def random_pair():
    n = random.randint(3, 6)
    digits = [random.randint(2, 9) for _ in range(n)]
    return torch.tensor(digits + [EOS]), torch.tensor(digits[::-1] + [EOS])


class EncoderRNN(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.gru = nn.GRU(hidden, hidden)

    def forward(self, seq):
        return self.gru(self.embedding(seq).unsqueeze(1))


class AttnDecoderRNN(nn.Module):
    def __init__(self, hidden, vocab):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.attn = nn.Linear(hidden * 2, hidden)
        self.v = nn.Linear(hidden, 1, bias=False)
        self.gru = nn.GRU(hidden * 2, hidden)
        self.out = nn.Linear(hidden, vocab)
        self.last_attention = None

    def forward(self, tok, hidden, memory):
        emb = self.embedding(tok).view(1, 1, -1)
        key = torch.cat([memory, hidden.expand_as(memory)], 2)
        weights = F.softmax(self.v(torch.tanh(self.attn(key))), dim=0)
        self.last_attention = weights
        context = (weights * memory).sum(0, keepdim=True)
        out, hidden = self.gru(torch.cat([emb, context], 2), hidden)
        return F.log_softmax(self.out(out[0]), dim=1), hidden, weights


def train(src, tgt, enc, dec, enc_opt, dec_opt, criterion, tf_ratio):
    enc_opt.zero_grad()
    dec_opt.zero_grad()
    memory, hidden = enc(src)
    loss, tok, attentions = 0, torch.tensor([SOS]), []
    teacher = random.random() < tf_ratio
    for t in range(len(tgt)):
        logp, hidden, w = dec(tok, hidden, memory)
        attentions.append(w)
        loss += criterion(logp, tgt[t:t + 1])
        tok = tgt[t:t + 1] if teacher else logp.argmax(1).detach()
        if not teacher and tok.item() == EOS:
            break
    loss.backward()
    enc_opt.step()
    dec_opt.step()
    return loss.item() / len(tgt), attentions


def main(n_iters=420):
    enc, dec = EncoderRNN(10, 20), AttnDecoderRNN(20, 10)
    enc_opt, dec_opt = optim.Adam(enc.parameters(), 5e-3), optim.Adam(dec.parameters(), 5e-3)
    criterion = nn.NLLLoss()
    print_total, plot_losses, last_maps = 0.0, [], None
    for it in range(1, n_iters + 1):
        loss, last_maps = train(*random_pair(), enc, dec, enc_opt, dec_opt, criterion, 1.0 - it / (2 * n_iters))
        print_total += loss
        if it % 70 == 0:
            peaks = [int(w.argmax()) for w in last_maps]
            plot_losses.append(print_total / 70)
            print(f"{it} ({it / n_iters:.0%}) {print_total / 70:.4f} attention peaks {peaks}")
            print_total = 0.0


if __name__ == "__main__":
    main()
