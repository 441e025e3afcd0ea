# gradwatch-corpus: kind=second-backward
# holder: carry
# first-bad: 1
# notice: 0
"""Keystroke dynamics: the learner is a coroutine, windows are sent in and the loss comes out."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(61)


def typing(batch=4, window=9):
    tempo = 0.1 + 0.1 * torch.rand(batch, 1)
    while True:
        gaps = tempo + 0.02 * torch.randn(batch, window + 1).cumsum(1) * 0.3
        yield gaps[:, :-1, None], gaps[:, 1:, None]


def learner(cells, lr):
    rnn, out = nn.LSTM(1, cells, batch_first=True), nn.Linear(cells, 1)
    opt = torch.optim.Adam([*rnn.parameters(), *out.parameters()], lr=lr)
    carry = None
    report = None
    while True:
        past, future = yield report
        hidden, carry = rnn(past, carry)  # <- culprit
        loss = (out(hidden) - future).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        report = loss.item()


def primed(gen):
    next(gen)
    return gen


learn = primed(learner(10, 4e-3))
for n, window in enumerate(typing(), 1):
    report = learn.send(window)
    if n % 100 == 0:
        print(n, report)
    if n == 300:
        break
