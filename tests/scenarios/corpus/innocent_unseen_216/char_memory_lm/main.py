# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn

from corpus import Corpus, batchify
from model import MemoryLM, repackage

BPTT, BATCH, EPOCHS = 12, 16, 4


def get_batch(source, i):
    n = min(BPTT, len(source) - 1 - i)
    return source[i : i + n], source[i + 1 : i + 1 + n].reshape(-1)


def train_epoch(model, source, opt, ntokens, epoch):
    model.train()
    state = model.init_state(BATCH)
    total = torch.zeros(())
    for b, i in enumerate(range(0, source.size(0) - 1, BPTT)):
        data, targets = get_batch(source, i)
        state = repackage(state)
        model.zero_grad()
        out, state = model(data, state)
        loss = nn.functional.cross_entropy(out.view(-1, ntokens), targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
        total += loss.detach()
        if b % 10 == 9:
            cur = total.item() / 10
            total.zero_()
            print("| epoch %d | %3d | loss %.3f | ppl %.2f" % (epoch, b + 1, cur, math.exp(cur)))


@torch.no_grad()
def evaluate(model, source, ntokens):
    model.eval()
    state, tot = model.init_state(BATCH), 0.0
    for i in range(0, source.size(0) - 1, BPTT):
        data, targets = get_batch(source, i)
        out, state = model(data, state)
        tot += len(data) * nn.functional.cross_entropy(out.view(-1, ntokens), targets).item()
    return tot / (len(source) - 1)


def main():
    torch.manual_seed(1111)
    corpus = Corpus()
    train, valid = batchify(corpus.train, BATCH), batchify(corpus.valid, BATCH)
    model = MemoryLM(corpus.ntokens, 24, 40, slots=8)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    best, best_sd = None, None
    for epoch in range(1, EPOCHS + 1):
        train_epoch(model, train, opt, corpus.ntokens, epoch)
        val = evaluate(model, valid, corpus.ntokens)
        print("valid %.3f" % val)
        if best is None or val < best:
            best, best_sd = val, {k: v.clone() for k, v in model.state_dict().items()}
    model.load_state_dict(best_sd)


if __name__ == "__main__":
    main()
