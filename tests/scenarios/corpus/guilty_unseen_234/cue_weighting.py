# gradwatch-corpus: kind=graph-chain
# holder: self.adaptation | listener.adaptation | listener.adaptation[talker]
# first-bad: 6
"""Perceptual learning of voicing: listeners re-weight VOT and f0 per talker.

A listener keeps an adaptation vector for every talker heard; the boundary for
a block of tokens is moved by it.
"""
import random

import torch
import torch.nn.functional as F

TALKERS = ["F01", "F02", "F03", "M01", "M02", "M03"]
BLOCKS = 120
TOKENS = 32


class TokenBank:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.shift = {t: 0.6 * torch.randn(2, generator=self.gen) for t in TALKERS}

    def block(self, talker):
        label = torch.randint(0, 2, (TOKENS,), generator=self.gen)
        center = torch.tensor([1.2, 0.5]) * (2.0 * label[:, None] - 1.0)
        noise = torch.randn(TOKENS, 2, generator=self.gen)
        cues = center + self.shift[talker] + 0.8 * noise
        return cues, label.float()


class Listener:
    def __init__(self):
        self.weights = torch.tensor([0.3, 0.3], requires_grad=True)
        self.bias = torch.zeros(1, requires_grad=True)
        self.rate = torch.tensor(-2.0, requires_grad=True)
        self.decay = torch.tensor(2.0, requires_grad=True)
        self.adaptation = {t: torch.zeros(2) for t in TALKERS}

    @property
    def parameters(self):
        return [self.weights, self.bias, self.rate, self.decay]

    def perceive(self, talker, cues):
        normalised = cues - self.adaptation[talker]
        return normalised @ self.weights + self.bias

    def adapt(self, talker, cues):
        old = self.adaptation[talker]  # <- culprit
        rate = torch.sigmoid(self.rate)
        keep = torch.sigmoid(self.decay)
        surprise = cues.mean(dim=0) - old
        self.adaptation[talker] = keep * old + rate * surprise  # <- culprit


def gradient_step(params, lr):
    for p in params:
        if p.grad is None:
            continue
        p.data = p.data - lr * p.grad
        p.grad = None


def accuracy(logit, label):
    return ((logit > 0).float() == label).float().mean().item()


def run(seed=3):
    random.seed(seed)
    bank = TokenBank(seed)
    listener = Listener()
    scores = {t: [] for t in TALKERS}
    order = []
    for block in range(BLOCKS):
        if not order:
            order = list(TALKERS)
            random.shuffle(order)
        talker = order.pop()
        cues, label = bank.block(talker)
        first = listener.perceive(talker, cues[: TOKENS // 2])
        listener.adapt(talker, cues[: TOKENS // 2])
        second = listener.perceive(talker, cues[TOKENS // 2:])
        logit = torch.cat([first, second])
        loss = F.binary_cross_entropy_with_logits(logit, label)
        loss.backward(retain_graph=True)
        gradient_step(listener.parameters, lr=0.2)
        scores[talker].append(accuracy(logit.detach(), label))
        if block % 30 == 29:
            print(f"block {block + 1:3d}  loss {loss.item():.4f}")
    return listener, scores


if __name__ == "__main__":
    torch.manual_seed(0)
    listener, scores = run()
    for talker in TALKERS:
        tail = scores[talker][-5:]
        print(talker, f"{sum(tail) / len(tail):.3f}")
    print("cue weights", [round(w, 3) for w in listener.weights.tolist()])
