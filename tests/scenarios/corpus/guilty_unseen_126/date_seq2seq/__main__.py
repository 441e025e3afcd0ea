# gradwatch-corpus: kind=graph-held
# holder: decoder.attn_log | self.attn_log | s2s.decoder.attn_log
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
torch.manual_seed(14)

from torch import optim
import torch.nn.functional as F
from .modules import Encoder, AttnDecoder

encoder, decoder = Encoder(14, 16), AttnDecoder(14, 16)
enc_opt = optim.SGD(encoder.parameters(), lr=0.05)
dec_opt = optim.SGD(decoder.parameters(), lr=0.05)


def train_pair(src, tgt, key):
    enc_opt.zero_grad()
    dec_opt.zero_grad()
    memory, hidden = encoder(src)
    inp = torch.full((src.size(0),), 0)
    loss = 0
    for t in range(tgt.size(1)):
        logp, hidden, w = decoder(inp, hidden, memory)
        decoder.remember(key + (t,), w)
        loss = loss + F.nll_loss(logp, tgt[:, t])
        inp = tgt[:, t]
    loss.backward()
    enc_opt.step()
    dec_opt.step()
    return loss.item() / tgt.size(1)


def main():
    for ep in range(12):
        total = 0.0
        for b in range(20):
            src = torch.randint(2, 14, (6, 5))
            total += train_pair(src, src.flip(1), (ep, b))
        print(ep, round(total / 20, 3), decoder.attn_log[(ep, 0, 0)][0].argmax().item())


main()
