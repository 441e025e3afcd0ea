# gradwatch-corpus: kind=graph-chain
# holder: hidden
import argparse
import math
import time

import torch
import torch.nn as nn

import data
import model as model_mod
from utils import get_batch, repackage_hidden

parser = argparse.ArgumentParser(description="PyTorch RNN language model")
parser.add_argument("--emsize", type=int, default=32)
parser.add_argument("--nhid", type=int, default=48)
parser.add_argument("--bptt", type=int, default=8)
parser.add_argument("--lr", type=float, default=0.5)
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--batch_size", type=int, default=16)
parser.add_argument("--seed", type=int, default=1111)
args = parser.parse_args()

torch.manual_seed(args.seed)
corpus = data.Corpus(n_tokens=16 * 8 * 110)
ntokens = corpus.vocab
train_data = data.batchify(corpus.train, args.batch_size)
model = model_mod.RNNModel(ntokens, args.emsize, args.nhid)
criterion = nn.CrossEntropyLoss()


def train(epoch):
    model.train()
    total_loss = 0.0
    start = time.time()
    hidden = model.init_hidden(args.batch_size)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, args.bptt)):
        inputs, targets = get_batch(train_data, i, args.bptt)
        # Starting each batch, we detach the hidden state from how it was previously produced.
        hidden = repackage_hidden(hidden)  # <- culprit
        model.zero_grad()
        output, hidden = model(inputs, hidden)  # <- culprit
        loss = criterion(output.view(-1, ntokens), targets)
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        for p in model.parameters():
            p.data.add_(p.grad.data, alpha=-args.lr)
        total_loss += loss.item()
        if batch % 20 == 0 and batch > 0:
            cur = total_loss / 20
            print(f"| epoch {epoch} | {batch:5d} | ms/batch {(time.time() - start) * 50:5.2f} | ppl {math.exp(cur):8.2f}")
            total_loss, start = 0.0, time.time()


train(1)
