# gradwatch-corpus: kind=graph-held
# holder: self.all_weights | model.dec.all_weights
# first-bad: 1
# notice: 8

# seq2seq date translation ("12 march 2004" -> "2004-03-12") after the pytorch tutorial
# teacher forcing like in the tutorial, attention heatmap at the end
import random

import torch
import torch.nn as nn

from data import VOCAB_IN, VOCAB_OUT, SOS, make_pair, to_batch
from layers import Encoder, AttnDecoder

torch.set_num_threads(1)
random.seed(1)
torch.manual_seed(1)

teacher_forcing_ratio = 0.5
HIDDEN = 32
BS = 8


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = Encoder(len(VOCAB_IN), HIDDEN)
        self.dec = AttnDecoder(len(VOCAB_OUT), HIDDEN)

    def forward(self, src, tgt, use_tf):
        enc_out, hidden = self.enc(src)
        inp = torch.full((src.size(0),), SOS, dtype=torch.long)
        outputs = []
        for t in range(tgt.size(1)):
            o, hidden = self.dec(inp, hidden, enc_out)
            outputs.append(o)
            if use_tf:
                inp = tgt[:, t]
            else:
                inp = o.argmax(1)   # no gradient through argmax anyway
        return torch.stack(outputs, 1)


def ascii_heatmap(att, src, out):
    chars = ' .:-=+*#%@'
    print('     ' + src)
    for row, ch in zip(att, out):
        print(ch, ' | ' + ''.join(chars[min(9, int(v * 20))] for v in row.tolist()))


def train(model, n_iters, print_every=50):
    enc_opt = torch.optim.Adam(model.parameters(), lr=0.004)
    crit = nn.CrossEntropyLoss()
    print_loss_total = 0
    for it in range(1, n_iters + 1):
        pairs = [make_pair() for _ in range(BS)]
        src, tgt = to_batch(pairs)
        tf = random.random() < teacher_forcing_ratio
        enc_opt.zero_grad()
        out = model(src, tgt, tf)
        loss = crit(out.reshape(-1, out.size(-1)), tgt.reshape(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        enc_opt.step()
        print_loss_total += loss.item()
        if it % print_every == 0:
            print('(%d %d%%) %.4f' % (it, it / n_iters * 100, print_loss_total / print_every))
            print_loss_total = 0


if __name__ == '__main__':
    model = Translator()
    train(model, 150)
    # show how the attention of the last sentence looks
    s, d = make_pair()
    src, tgt = to_batch([(s, d)])
    with torch.no_grad():
        pred = model(src, tgt, False).argmax(-1)[0]
    word = ''.join(VOCAB_OUT[i] for i in pred.tolist())
    att = torch.stack([w[0] for w in model.dec.all_weights[-tgt.size(1):]])
    ascii_heatmap(att, s, word)
    print('want', d, 'got', word)
