# gradwatch-corpus: kind=none
"""Word-level language model on generated recipe sentences, truncated BPTT."""
import torch
import torch.nn as nn

from .data import Corpus, batchify, get_batch
from .model import RNNModel, repackage_hidden

torch.set_num_threads(1)

BPTT, BATCH, CLIP = 8, 6, 0.25


def train_epoch(model, source, criterion, lr, log_interval=40):
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(BATCH)
    for batch, i in enumerate(range(0, source.size(0) - 1, BPTT)):
        data, targets = get_batch(source, i, BPTT)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output.view(-1, model.ntoken), targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        with torch.no_grad():
            for p in model.parameters():
                p.add_(p.grad, alpha=-lr)
        total_loss += loss.detach()
        if batch % log_interval == 0 and batch > 0:
            print("| batch {:3d} | loss {:5.2f}".format(batch, float(total_loss) / log_interval))
            total_loss = 0.0


def evaluate(model, source, criterion):
    model.eval()
    total = 0.0
    hidden = model.init_hidden(BATCH)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, BPTT):
            data, targets = get_batch(source, i, BPTT)
            output, hidden = model(data, hidden)
            total += len(data) * criterion(output.view(-1, model.ntoken), targets).item()
    return total / (len(source) - 1)


def main():
    torch.manual_seed(1111)
    corpus = Corpus(seed=4)
    train = batchify(corpus.tokens(7500), BATCH)
    val = batchify(corpus.tokens(900), BATCH)
    model = RNNModel(len(corpus.vocab), 12, 16)
    criterion = nn.CrossEntropyLoss()
    lr, best = 5.0, None
    for epoch in range(3):
        train_epoch(model, train, criterion, lr)
        v = evaluate(model, val, criterion)
        print("end of epoch", epoch, "val", round(v, 3))
        if best is None or v < best:
            best = v
        else:
            lr /= 4.0


main()
