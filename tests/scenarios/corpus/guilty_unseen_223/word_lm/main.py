# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
import math

import torch
import torch.nn as nn

from corpus import build
from model import RNNModel

BPTT = 4
BATCH = 8
CLIP = 0.25
lr = 2.0

torch.manual_seed(1111)

dictionary, ids = build(600, seed=1111)
ntokens = len(dictionary)


def batchify(data, bsz):
    data = torch.tensor(data)
    nbatch = data.size(0) // bsz
    data = data.narrow(0, 0, nbatch * bsz)
    return data.view(bsz, -1).t().contiguous()


def get_batch(source, i):
    seq_len = min(BPTT, len(source) - 1 - i)
    data = source[i:i + seq_len]
    target = source[i + 1:i + 1 + seq_len]
    return data, target


train_data = batchify(ids, BATCH)
model = RNNModel(ntokens, 16, 32)
criterion = nn.CrossEntropyLoss()


def train(max_batches=70):
    global lr
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(BATCH)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, BPTT)):
        if batch >= max_batches:
            break
        data, targets = get_batch(train_data, i)
        model.zero_grad()
        output, hidden = model(data, hidden)  # <- culprit
        output = torch.stack(output)
        loss = criterion(output.view(-1, ntokens), targets.reshape(-1))
        loss.backward(retain_graph=True)  # <- culprit

        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        for p in model.parameters():
            p.data.add_(p.grad.data, alpha=-lr)

        total_loss += loss.item()
        if batch % 20 == 0 and batch > 0:
            cur = total_loss / 20
            print("| batch {:3d} | lr {:.2f} | loss {:5.2f} | ppl {:8.2f}".format(batch, lr, cur, math.exp(cur)))
            total_loss = 0.0


train()
