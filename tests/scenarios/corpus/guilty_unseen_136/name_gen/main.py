# gradwatch-corpus: kind=graph-chain
# holder: rnn.hidden | self.hidden
# first-bad: 1
# notice: 5
"""Character RNN writing city names, plain SGD as in the sequence-to-sequence tutorial."""
import random

import torch

from corpus import ALPHABET, lines
from rnn import CharRNN

torch.set_num_threads(1)
random.seed(1)
torch.manual_seed(1)

LR = 0.003
criterion = torch.nn.NLLLoss()


def to_tensors(line):
    ix = [ALPHABET.index(c) for c in line]
    onehot = torch.zeros(len(ix), 1, len(ALPHABET))
    for t, k in enumerate(ix):
        onehot[t, 0, k] = 1
    return onehot, torch.tensor(ix[1:] + [len(ALPHABET) - 1])


def train(rnn, line):
    inp, target = to_tensors(line)
    rnn.zero_grad()
    loss = 0
    for t in range(inp.size(0)):
        out = rnn(inp[t])
        loss = loss + criterion(out, target[t:t + 1])
    loss.backward(retain_graph=True)
    for p in rnn.parameters():
        p.data.add_(p.grad.data.clamp(-1, 1), alpha=-LR)
    return loss.item() / inp.size(0)


def sample(rnn, start, max_len=8):
    text, keep = start, rnn.hidden
    with torch.no_grad():
        rnn.hidden = rnn.fresh()
        for _ in range(max_len):
            inp, _ = to_tensors(text[-1])
            k = rnn(inp[0]).argmax().item()
            if k == len(ALPHABET) - 1:
                break
            text += ALPHABET[k]
    rnn.hidden = keep
    return text


def main():
    rnn = CharRNN(len(ALPHABET), 10)
    total = 0
    for it in range(1, 191):
        total += train(rnn, random.choice(lines))
        if it % 38 == 0:
            print(f"{it:4d}  avg loss {total / 38:.3f}  {sample(rnn, 'b')}")
            total = 0


main()
