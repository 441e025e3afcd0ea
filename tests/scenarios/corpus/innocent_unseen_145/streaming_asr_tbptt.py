# gradwatch-corpus: kind=none
"""Frame-synchronous phone labelling of an endless stream; gradient reaches back K2 frames, an update every K1."""
from collections import deque

import torch

torch.set_num_threads(1)
from torch import nn

K1, K2 = 2, 6


class PhoneTagger(nn.Module):
    def __init__(self, feat=5, hid=14, phones=4):
        super().__init__()
        self.cell = nn.GRUCell(feat, hid)
        self.out = nn.Linear(hid, phones)
        self.hid = hid

    def forward(self, frame, h):
        h = self.cell(frame, h)
        return self.out(h), h


class PlainSGD:
    def __init__(self, params, lr, clip=1.0):
        self.params, self.lr, self.clip = list(params), lr, clip

    def zero(self):
        for p in self.params:
            p.grad = None

    def step(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm()
        scale = self.lr * min(1.0, self.clip / (norm.item() + 1e-6))
        for p in self.params:
            p.data.sub_(scale * p.grad.data)


def microphone(batch=4, phones=4):
    proto = torch.randn(phones, 5)
    ph, left = torch.randint(0, phones, (batch,)), torch.randint(2, 5, (batch,))
    while True:
        left = left - 1
        new = left <= 0
        ph = torch.where(new, torch.randint(0, phones, (batch,)), ph)
        left = torch.where(new, torch.randint(2, 5, (batch,)), left)
        yield proto[ph] * 0.5 + 0.6 * torch.randn(batch, 5), ph


class TBPTT:
    def __init__(self, model, lr=0.1):
        self.model, self.sgd = model, PlainSGD(model.parameters(), lr)
        self.links = deque(maxlen=K2)          # (state going in, state coming out)
        self.losses = []

    def frame(self, x, y, h):
        h_in = h.detach().requires_grad_()
        logits, h_out = self.model(x, h_in)
        self.links.append((h_in, h_out))
        self.losses.append(nn.functional.cross_entropy(logits, y))
        if len(self.losses) == K1:
            self.update()
        return h_out, (logits.argmax(1) == y).float().mean().item()

    def update(self):
        self.sgd.zero()
        for h_in, _ in self.links:
            h_in.grad = None
        torch.stack(self.losses).mean().backward(retain_graph=True)
        chain = list(self.links)
        for (_, out), (nxt, _) in zip(chain[-2::-1], chain[:0:-1]):
            out.backward(nxt.grad, retain_graph=True)
        self.sgd.step()
        self.losses.clear()


torch.manual_seed(41)
tagger = PhoneTagger()
trainer = TBPTT(tagger)
h = torch.zeros(4, tagger.hid)
acc = 0.0
for n, (x, y) in enumerate(microphone()):
    h, a = trainer.frame(x, y, h)
    acc = 0.99 * acc + 0.01 * a
    if n % 400 == 399:
        print(n + 1, f"frame accuracy {acc:.3f}")
    if n == 2399:
        break
