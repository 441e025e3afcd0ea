# gradwatch-corpus: kind=none
import math
import time

import torch
import torch.nn as nn

from corpus import batchify, get_batch, make_corpus
from model import RNNModel

torch.set_num_threads(1)
torch.manual_seed(1111)

BPTT, CLIP, LOG = 10, 0.25, 20
ntokens = 40
train_data = batchify(make_corpus(9000, ntokens), 8)
val_data = batchify(make_corpus(800, ntokens), 8)
model = RNNModel(ntokens, ninp=24, nhid=32, nlayers=2, dropout=0.1)
criterion = nn.NLLLoss()


def repackage_hidden(h):
    """Wraps hidden states in new tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def evaluate(source):
    model.eval()
    total = 0.0
    hidden = model.init_hidden(8)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, BPTT):
            data, targets = get_batch(source, i, BPTT)
            output, hidden = model(data, hidden)
            total += len(data) * criterion(output, targets)
    return total.item() / (len(source) - 1)


def train(epoch, lr):
    model.train()
    total_loss, start = 0.0, time.time()
    hidden = model.init_hidden(8)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, BPTT)):
        data, targets = get_batch(train_data, i, BPTT)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total_loss += loss.item()
        if batch % LOG == LOG - 1:
            print(f"| epoch {epoch} | {batch:3d} | lr {lr:.2f} | {time.time() - start:.1f}s | loss {total_loss / LOG:.2f}")
            total_loss = 0.0


lr, best = 4.0, None
for epoch in range(1, 3):
    train(epoch, lr)
    val_loss = evaluate(val_data)
    print(f"end of epoch {epoch} valid ppl {math.exp(val_loss):.2f}")
    if best is None or val_loss < best:
        best = val_loss
    else:
        lr /= 4.0
