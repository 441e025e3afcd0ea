# gradwatch-corpus: kind=graph-chain
# holder: rnn.h | self.h
"""min-char-rnn rewritten in PyTorch (exercise 3 of the reading group)."""
import torch

from rnn import CharRNN
from text import Vocab, windows

torch.set_num_threads(1)
torch.manual_seed(8)

TEXT = ("the quick brown fox jumps over the lazy dog. " * 12) + ("pack my box with five dozen jugs. " * 8)
vocab = Vocab(TEXT)
rnn = CharRNN(len(vocab), hidden=24)
mem = {k: torch.zeros_like(p) for k, p in rnn.params.items()}
lr = 0.05
smooth_loss = None

stream = windows(vocab.encode(TEXT), length=6)
for n in range(70):
    inputs, targets, wrapped = next(stream)
    if wrapped:
        rnn.reset()
    loss = rnn.loss(inputs, targets)
    for p in rnn.params.values():
        p.grad = None
    loss.backward(retain_graph=True)  # <- culprit
    for k, p in rnn.params.items():
        g = p.grad.clamp(-1, 1)
        mem[k] += g * g
        p.data -= lr * g / (mem[k] + 1e-8).sqrt()
    value = loss.item() / len(inputs)
    smooth_loss = value if smooth_loss is None else 0.95 * smooth_loss + 0.05 * value
    if n % 20 == 0:
        print("iter", n, "loss %.3f" % smooth_loss, repr(vocab.decode(rnn.sample(inputs[0], 20))))
