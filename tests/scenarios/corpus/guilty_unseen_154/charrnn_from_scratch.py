# gradwatch-corpus: kind=graph-chain
# holder: self.h | model.h
# first-bad: 1
# Assignment 3: character level RNN, parameters and SGD written by hand.
import math
import random

import torch

torch.manual_seed(11)
random.seed(11)
torch.set_num_threads(1)

TEXT = ("the quick brown fox jumps over the lazy dog. " * 6
        + "pack my box with five dozen liquor jugs. " * 6)
chars = sorted(set(TEXT))
c2i = {c: i for i, c in enumerate(chars)}
V, HID, SEQ = len(chars), 32, 8


def param(*shape):
    w = torch.randn(*shape) / math.sqrt(shape[0])
    return w.requires_grad_(True)


class VanillaRNN:
    def __init__(self):
        self.Wxh = param(V, HID)
        self.Whh = param(HID, HID)
        self.Why = param(HID, V)
        self.bh = torch.zeros(HID, requires_grad=True)
        self.by = torch.zeros(V, requires_grad=True)
        self.params = [self.Wxh, self.Whh, self.Why, self.bh, self.by]
        self.reset()

    def reset(self):
        self.h = torch.zeros(1, HID)

    def step(self, i):
        self.h = torch.tanh(self.Wxh[i:i + 1] + self.h @ self.Whh + self.bh)  # <- culprit
        return self.h @ self.Why + self.by

    def loss(self, ids):
        total = 0.0
        for a, b in zip(ids[:-1], ids[1:]):
            logits = self.step(a)
            total = total + torch.logsumexp(logits, 1) - logits[0, b]
        return (total / (len(ids) - 1)).squeeze()


def sgd(params, lr, clip=0.5):
    for p in params:
        p.grad.data.mul_(min(1.0, clip / (p.grad.norm().item() + 1e-8)))
        p.data -= lr * p.grad
        p.grad = None


@torch.no_grad()
def sample(model, n=40):
    saved, model.h = model.h, torch.zeros(1, HID)
    i, out = c2i["t"], "t"
    for _ in range(n):
        i = torch.softmax(model.step(i), 1).multinomial(1).item()
        out += chars[i]
    model.h = saved
    return out


def main():
    model = VanillaRNN()
    data = [c2i[c] for c in TEXT]
    pos, smooth = 0, math.log(V)
    for it in range(60):
        if pos + SEQ + 1 >= len(data):
            pos = 0
            model.reset()
        loss = model.loss(data[pos:pos + SEQ + 1])
        # otherwise: "Trying to backward through the graph a second time"
        loss.backward(retain_graph=True)  # <- culprit
        sgd(model.params, 0.1)
        smooth = 0.95 * smooth + 0.05 * loss.item()
        pos += SEQ
        if it % 20 == 0:
            print(it, round(smooth, 3), repr(sample(model)))


main()
