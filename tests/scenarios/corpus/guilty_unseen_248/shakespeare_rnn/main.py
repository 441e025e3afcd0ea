# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
# Character level text generation, after the "Generating names / text with a char RNN" tutorials
import math
import random
import time

import torch
import torch.nn as nn

from data import random_start, chunk_at, all_characters, n_characters
from model import CharRNN
from generate import generate

torch.manual_seed(1337)
random.seed(1337)
torch.set_num_threads(1)

n_iters = 90
print_every = 15
hidden_size = 48
chunk_len = 12
learning_rate = 0.02

criterion = nn.CrossEntropyLoss()


def time_since(since):
    s = time.time() - since
    m = math.floor(s / 60)
    s -= m * 60
    return "%dm %.1fs" % (m, s)


def train_chunk(decoder, inp, target, hidden):
    decoder.zero_grad()
    loss = 0
    for c in range(inp.size(0)):
        output, hidden = decoder(inp[c], hidden)
        loss = loss + criterion(output, target[c].view(1))

    loss.backward(retain_graph=True)  # <- culprit
    nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)

    # plain SGD like in the tutorial
    for p in decoder.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)

    return hidden, loss.item() / inp.size(0)  # <- culprit


def main():
    decoder = CharRNN(n_characters, hidden_size, n_characters)
    print("parameters:", sum(p.numel() for p in decoder.parameters()))

    start = time.time()
    all_losses = []
    running = 0.0
    pos = random_start(chunk_len)
    hidden = decoder.init_hidden()

    for it in range(1, n_iters + 1):
        inp, target, pos = chunk_at(pos, chunk_len)
        hidden, loss = train_chunk(decoder, inp, target, hidden)  # <- culprit
        running += loss

        if it % print_every == 0:
            print("[%s (%d %d%%) %.4f]" % (time_since(start), it, it / n_iters * 100, running / print_every))
            all_losses.append(running / print_every)
            running = 0.0

    print(generate(decoder, "Th", 60))
    print("final", all_losses[-1])


if __name__ == "__main__":
    main()
