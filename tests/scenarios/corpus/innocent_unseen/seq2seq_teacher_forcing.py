# gradwatch-corpus: kind=none
import random

import torch
import torch.nn as nn
import torch.optim as optim

SOS, EOS, V, H = 0, 1, 30, 48
random.seed(5)
torch.manual_seed(5)


class EncoderRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(V, H)
        self.gru = nn.GRU(H, H)

    def forward(self, x):
        return self.gru(self.embedding(x))


class AttnDecoderRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(V, H)
        self.gru = nn.GRUCell(2 * H, H)
        self.out = nn.Linear(H, V)

    def forward(self, tok, h, enc):
        a = torch.softmax(enc @ h.squeeze(0), 0)
        ctx = (a[:, None] * enc).sum(0, keepdim=True)
        h = self.gru(torch.cat([self.embedding(tok), ctx], -1), h)
        return self.out(h), h, a


def random_pair():
    n = random.randint(3, 9)
    s = [random.randint(2, V - 1) for _ in range(n)]
    return torch.tensor(s).view(-1, 1), torch.tensor(s[::-1] + [EOS]).view(-1, 1)


def train(src, tgt, enc, dec, eo, do, crit, ratio=0.5):
    eo.zero_grad()
    do.zero_grad()
    outs, h = enc(src)
    outs, h = outs.squeeze(1), h.squeeze(0)
    tok, loss = torch.tensor([SOS]), 0
    force = random.random() < ratio
    for di in range(len(tgt)):
        logit, h, _ = dec(tok, h, outs)
        loss += crit(logit, tgt[di])
        if force:
            tok = tgt[di]
        else:
            tok = logit.topk(1)[1].view(1).detach()
            if tok.item() == EOS:
                break
    loss.backward()
    eo.step()
    do.step()
    return loss.item() / len(tgt)


enc, dec = EncoderRNN(), AttnDecoderRNN()
eo, do = optim.SGD(enc.parameters(), 0.05), optim.SGD(dec.parameters(), 0.05)
plot_losses, print_total = [], 0
for it in range(1, 221):
    print_total += train(*random_pair(), enc, dec, eo, do, nn.CrossEntropyLoss())
    if it % 55 == 0:
        plot_losses.append(print_total / 55)
        print_total = 0
        print(it, plot_losses[-1])
