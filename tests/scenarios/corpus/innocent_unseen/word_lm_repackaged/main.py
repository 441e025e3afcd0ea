# gradwatch-corpus: kind=none
import argparse

import torch
from torch import nn, optim

from lm import LM, repackage_hidden

parser = argparse.ArgumentParser()
parser.add_argument("--bptt", type=int, default=10)
parser.add_argument("--batch-size", type=int, default=12)
args = parser.parse_args()
torch.manual_seed(1882)

ids = (torch.arange(12 * 2100) % 19 + torch.randint(0, 3, (12 * 2100,))).view(args.batch_size, -1).t().contiguous()
model = LM(24, 32, 48)
opt = optim.ASGD(model.parameters(), lr=0.5, t0=0, lambd=0.0)


def train_epoch():
    hidden = model.init_hidden(args.batch_size)
    batch, i = 0, 0
    while i < ids.size(0) - 2:
        bptt = args.bptt if torch.rand(()) < 0.95 else args.bptt // 2
        seq = max(5, int(bptt + torch.randn(()) * 2))
        data, target = ids[i:i + seq], ids[i + 1:i + 1 + seq]
        data = data[: len(target)]
        hidden = repackage_hidden(hidden)
        opt.zero_grad()
        out, hidden, rnn_hs = model(data, hidden)
        raw_loss = nn.functional.cross_entropy(out.flatten(0, 1), target.flatten())
        # activation and temporal activation regularisation (AWD-LSTM)
        loss = raw_loss + 1e-3 * rnn_hs.pow(2).mean()
        if len(rnn_hs) > 1:
            loss = loss + 1e-3 * (rnn_hs[1:] - rnn_hs[:-1]).pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        opt.step()
        if batch % 50 == 0:
            print(batch, raw_loss.item())
        batch += 1
        i += seq


train_epoch()
