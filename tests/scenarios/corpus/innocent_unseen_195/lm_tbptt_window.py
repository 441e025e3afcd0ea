# gradwatch-corpus: kind=none
import math
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


def repackage(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(repackage(s) for s in state)


class RNNLM(nn.Module):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, dim)
        self.out = nn.Linear(dim, vocab)
        self.out.weight = self.emb.weight

    def forward(self, x, state):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), h, state


class PlateauLR:
    """Halves the rate when the recent losses stop improving on the older ones."""

    def __init__(self, opt, window=30):
        self.opt = opt
        self.recent = deque(maxlen=window)

    def step(self, loss):
        self.recent.append(loss)
        if len(self.recent) < self.recent.maxlen:
            return
        values = torch.stack(list(self.recent)).tolist()
        half = len(values) // 2
        if sum(values[half:]) > 1.02 * sum(values[:half]):
            for group in self.opt.param_groups:
                group["lr"] *= 0.5
            self.recent.clear()


def markov_stream(vocab, length, batch, seed=0):
    gen = torch.Generator().manual_seed(seed)
    table = (2.5 * torch.randn(vocab, vocab, generator=gen)).softmax(1)
    cur = torch.randint(0, vocab, (batch,), generator=gen)
    out = [cur]
    for _ in range(length - 1):
        cur = torch.multinomial(table[cur], 1, generator=gen).squeeze(1)
        out.append(cur)
    return torch.stack(out)


def main(iters=500, bptt=6, vocab=20, batch=8):
    torch.manual_seed(0)
    data = markov_stream(vocab, 1500, batch)
    model = RNNLM(vocab)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = PlateauLR(opt)
    state = (torch.zeros(1, batch, 24), torch.zeros(1, batch, 24))
    running, log_sum = None, 0.0
    for it in range(iters):
        start = (it * bptt) % (data.size(0) - bptt - 1)
        x, y = data[start : start + bptt], data[start + 1 : start + bptt + 1]
        state = repackage(state)
        logits, h, state = model(x, state)
        nll = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        smoothness = (h[1:] - h[:-1]).pow(2).mean()
        loss = nll + 0.1 * smoothness
        if running is not None:
            loss = loss / running.clamp(min=0.5)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
        running = nll.detach() if running is None else 0.95 * running + 0.05 * nll.detach()
        sched.step(nll)
        log_sum += nll.item()
        if it % 100 == 99:
            print(f"{it + 1} ppl {math.exp(log_sum / 100):.2f} lr {opt.param_groups[0]['lr']:.5f}")
            log_sum = 0.0


if __name__ == "__main__":
    main()
