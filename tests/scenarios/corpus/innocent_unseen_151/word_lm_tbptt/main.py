# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn

from data import Corpus, batchify, segments
from model import RNNModel, repackage_hidden

BPTT, SPAN, EPOCHS, CLIP = 5, 3, 3, 0.5


def evaluate(model, source, criterion):
    model.eval()
    total, n, hidden = 0.0, 0, model.init_hidden(source.size(1))
    with torch.no_grad():
        for data, targets in segments(source, BPTT):
            output, hidden = model(data, hidden)
            total, n = total + criterion(output, targets).item(), n + 1
    return total / n


def train_epoch(model, source, criterion, optimizer, epoch):
    """Hidden state flows through SPAN segments before one backward covers all of them."""
    model.train()
    hidden, span, activation = model.init_hidden(source.size(1)), [], 0.0
    total, updates = 0.0, 0
    for data, targets in segments(source, BPTT):
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        span.append(loss + 1e-3 * hidden[0].pow(2).mean())
        if len(span) < SPAN:
            continue
        optimizer.zero_grad()
        torch.stack(span).mean().backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        total, updates = total + loss.item(), updates + 1
        span.clear()
        hidden = repackage_hidden(hidden)
    print(f"| epoch {epoch} | {updates} updates | loss {total / updates:.3f} | ppl {math.exp(total / updates):.2f}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1111)
    corpus = Corpus(vocab=30)
    train, valid = batchify(corpus.sample(4200), 8), batchify(corpus.sample(400), 4)
    model = RNNModel(30, 16, 24)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    best = None
    for epoch in range(1, EPOCHS + 1):
        train_epoch(model, train, criterion, optimizer, epoch)
        val = evaluate(model, valid, criterion)
        best = val if best is None else min(best, val)
    print(f"best valid ppl {math.exp(best):.2f}")


if __name__ == "__main__":
    main()
