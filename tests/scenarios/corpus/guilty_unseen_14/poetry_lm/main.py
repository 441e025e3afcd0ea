# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
"""Character language model on a few lines of old verse, in the manner of the
word_language_model example, with truncated backpropagation through time."""
import math

import torch
import torch.nn as nn

from model import CharRNN
from utils import Corpus, SimpleSGD, clip, get_batch

torch.manual_seed(1111)

bptt = 5
batch_size = 12
epochs = 4
log_every = 25
max_batches = 60


def new_lr(lr, prev_loss, loss):
    return lr * 0.7 if prev_loss is not None and loss > prev_loss else lr


@torch.no_grad()
def evaluate(model, source, criterion):
    model.eval()
    hidden = model.init_hidden(source.shape[1])
    total, count = 0.0, 0
    for i in range(0, source.shape[0] - 1, bptt):
        data, targets = get_batch(source, i, bptt)
        output, hidden = model(data, hidden)
        total += criterion(output.flatten(0, 1), targets).item() * len(data)
        count += len(data)
    return total / count


def train(model, source, criterion, optimizer, epoch):
    model.train()
    hidden = model.init_hidden(batch_size)
    running = 0.0
    for step, i in enumerate(range(0, source.shape[0] - 1, bptt)):
        if step >= max_batches:
            break
        data, targets = get_batch(source, i, bptt)
        optimizer.zero_grad()
        output, hidden = model(data, hidden)  # <- culprit
        loss = criterion(output.flatten(0, 1), targets)
        loss.backward(retain_graph=True)  # <- culprit
        clip(model.parameters(), 0.25)
        optimizer.step()
        running += loss.item()
        if (step + 1) % log_every == 0:
            mean = running / log_every
            print("| epoch %d | %3d batches | loss %.3f | ppl %.2f" % (epoch, step + 1, mean, math.exp(mean)))
            running = 0.0


@torch.no_grad()
def generate(model, corpus, start="the ", n=60, temperature=0.7):
    model.eval()
    hidden = model.init_hidden(1)
    ids = corpus.encode(start)
    for t in ids[:-1]:
        _, hidden = model(torch.tensor([[t]]), hidden)
    out = list(ids)
    for _ in range(n):
        logits, hidden = model(torch.tensor([[out[-1]]]), hidden)
        p = torch.softmax(logits[0, 0] / temperature, dim=-1)
        out.append(torch.multinomial(p, 1).item())
    return corpus.decode(out)


def main():
    corpus = Corpus()
    train_data = corpus.batchify(corpus.train, batch_size)
    val_data = corpus.batchify(corpus.valid, 4)
    model = CharRNN(len(corpus.chars), 16, 32)
    criterion = nn.CrossEntropyLoss()
    optimizer = SimpleSGD(model.parameters(), lr=2.0)
    prev = None
    for epoch in range(1, epochs + 1):
        train(model, train_data, criterion, optimizer, epoch)
        val = evaluate(model, val_data, criterion)
        optimizer.lr = new_lr(optimizer.lr, prev, val)
        prev = val
        print("| end of epoch %d | valid loss %.3f | lr %.3f" % (epoch, val, optimizer.lr))
    print(repr(generate(model, corpus)))


if __name__ == "__main__":
    main()
