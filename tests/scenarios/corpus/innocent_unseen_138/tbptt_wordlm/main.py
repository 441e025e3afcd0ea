# gradwatch-corpus: kind=none
"""Word-level LM on a generated grammar, in the manner of the pytorch word_language_model example."""
import math
import time

import torch

torch.set_num_threads(1)
torch.manual_seed(1111)

import data
import model as models

BPTT, BSZ, CLIP, LOG = 8, 8, 0.25, 100


def repackage_hidden(h):
    """Wraps hidden states in new Tensors."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def train(net, source, criterion, lr, epoch):
    net.train()
    total_loss, start = 0.0, time.time()
    hidden = net.init_hidden(BSZ)
    for batch, i in enumerate(range(0, source.size(0) - 1, BPTT)):
        x, y = data.get_batch(source, i, BPTT)
        net.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = net(x, hidden)
        loss = criterion(output, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), CLIP)
        with torch.no_grad():
            for p in net.parameters():
                p.add_(p.grad, alpha=-lr)
        total_loss += loss.item()
        if batch % LOG == 0 and batch:
            cur = total_loss / LOG
            ms = (time.time() - start) * 1000 / LOG
            print(f"| epoch {epoch} | {batch:4d} batches | ms/batch {ms:5.2f} | loss {cur:.2f} | ppl {math.exp(cur):.2f}")
            total_loss, start = 0.0, time.time()


def evaluate(net, source, criterion):
    net.eval()
    hidden, total = net.init_hidden(BSZ), 0.0
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, BPTT):
            x, y = data.get_batch(source, i, BPTT)
            output, hidden = net(x, hidden)
            total += len(x) * criterion(output, y).item()
    return total / (len(source) - 1)


def main():
    corpus = data.Grammar(24000)
    net = models.RNNModel(len(corpus.words), 16, 24, tie=False)
    criterion = torch.nn.CrossEntropyLoss()
    lr, best = 5.0, None
    for epoch in range(1, 3):
        train(net, data.batchify(corpus.train, BSZ), criterion, lr, epoch)
        val = evaluate(net, data.batchify(corpus.valid, BSZ), criterion)
        print(f"end of epoch {epoch} | valid loss {val:.3f}")
        if best is None or val < best:
            best = val
        else:
            lr /= 4.0


if __name__ == "__main__":
    main()
