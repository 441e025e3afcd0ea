# gradwatch-corpus: kind=second-backward
# holder: carry | transcribe.__closure__
# first-bad: 1
# notice: 0
"""Syllable tagging of a continuous bird-song stream with a hand-rolled minimal gated unit."""
from functools import partial, reduce
from itertools import islice
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(9)

BANDS, UNITS, SYLLABLES, CHUNK = 7, 16, 4, 12


def init(*shape):
    return (torch.randn(*shape) / shape[0] ** 0.5).requires_grad_()


WEIGHTS = {"gate": init(BANDS + UNITS, UNITS), "cand": init(BANDS + UNITS, UNITS), "tag": init(UNITS, SYLLABLES)}


def gated(w, h, x):
    f = torch.sigmoid(torch.cat([x, h]) @ w["gate"])
    c = torch.tanh(torch.cat([x, f * h]) @ w["cand"])
    return (1 - f) * h + f * c


def scan(cell, h, xs):
    def push(acc, x):
        states = acc + (cell(acc[-1], x),)
        return states
    return reduce(push, xs, (h,))[1:]


def make_transcriber(w):
    carry = torch.zeros(UNITS)
    cell = partial(gated, w)

    def transcribe(xs):
        nonlocal carry
        states = scan(cell, carry, xs)
        carry = states[-1]  # <- culprit
        return torch.stack(states) @ w["tag"]

    return transcribe


def song():
    spectra = torch.rand(SYLLABLES, BANDS)
    grammar = torch.softmax(3 * torch.randn(SYLLABLES, SYLLABLES), 1)
    s = 0
    while True:
        s = int(torch.multinomial(grammar[s], 1))
        for _ in range(3):
            yield spectra[s] + 0.1 * torch.randn(BANDS), s


def chunks(source, n):
    while True:
        frames, labels = zip(*islice(source, n))
        yield torch.stack(frames), torch.tensor(labels)


transcribe = make_transcriber(WEIGHTS)
opt = torch.optim.Adam(WEIGHTS.values(), lr=5e-3)
for i, (x, y) in enumerate(islice(chunks(song(), CHUNK), 400)):
    loss = F.cross_entropy(transcribe(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 100 == 0:
        print(i, loss.item())
