# gradwatch-corpus: kind=none
"""Truncated BPTT with k1 < k2 (back-propagate every k1 tokens through the last k2) for a byte LM.
Gradients of one line of text are summed over its windows, then one optimizer step is made."""
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class CellLM(nn.Module):
    def __init__(self, vocab, emb=16, hid=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.cell = nn.LSTMCell(emb, hid)
        self.out = nn.Linear(hid, vocab)
        self.hid = hid

    def initial(self, bsz):
        return torch.zeros(bsz, self.hid), torch.zeros(bsz, self.hid)

    def forward(self, tok, state):
        h, c = self.cell(self.emb(tok), state)
        return self.out(h), (h, c)


class TBPTT:
    """Keeps (state entering the step, state leaving it) of the last k2 steps."""

    def __init__(self, model, k1, k2):
        assert k2 % k1 == 0
        self.model, self.k1, self.k2 = model, k1, k2
        self.links = deque(maxlen=k2)

    @staticmethod
    def _leaf(state):
        return tuple(s.detach().requires_grad_() for s in state)

    def _backprop(self, loss):
        loss.backward(retain_graph=True)
        links = list(self.links)
        for (entering, _), (_, leaving) in zip(reversed(links[1:]), reversed(links[:-1])):
            grads = [s.grad for s in entering]
            if all(g is None for g in grads):
                break
            pairs = [(l, g) for l, g in zip(leaving, grads) if g is not None]
            torch.autograd.backward([p[0] for p in pairs], [p[1] for p in pairs], retain_graph=True)
        for entering, _ in links:
            for s in entering:
                s.grad = None

    def run_line(self, tokens, state):
        """tokens: (time, batch). Returns mean loss and the state after the last token."""
        pending, total = [], 0.0
        n = tokens.size(0) - 1
        for t in range(n):
            entering = self._leaf(state)
            logits, state = self.model(tokens[t], entering)
            self.links.append((entering, state))
            pending.append(F.cross_entropy(logits, tokens[t + 1]))
            if (t + 1) % self.k1 == 0 or t == n - 1:
                # every loss of the chunk hangs on its own step; walk them newest first
                for back, loss in enumerate(reversed(pending)):
                    total += loss.item()
                    keep = list(self.links)
                    if back:
                        self.links = deque(keep[:-back], maxlen=self.k2)
                    self._backprop(loss / n)
                    self.links = deque(keep, maxlen=self.k2)
                pending.clear()
        return total / n, self._leaf(state)


def sentences(bsz, length, rng, vocab):
    """Nested counting: a run of one symbol is answered by an equally long run of its partner."""
    cols = []
    for _ in range(bsz):
        s = []
        while len(s) < length:
            a, k = rng.randrange(1, vocab // 2), rng.randint(1, 4)
            s += [a] * k + [a + vocab // 2 - 1] * k + [0]
        cols.append(s[:length])
    return torch.tensor(cols).t().contiguous()


def main(lines=150, vocab=9, k1=3, k2=9):
    torch.set_num_threads(1)
    torch.manual_seed(4)
    rng = random.Random(4)
    model = CellLM(vocab)
    opt = torch.optim.RMSprop(model.parameters(), lr=3e-3)
    bp = TBPTT(model, k1, k2)
    state = model.initial(8)
    curve = []
    for it in range(lines):
        opt.zero_grad()
        loss, state = bp.run_line(sentences(8, 13, rng, vocab), state)
        bp.links.clear()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        curve.append(loss)
        if it % 25 == 24:
            print(f"line {it + 1} nll {sum(curve[-25:]) / 25:.3f}")


if __name__ == "__main__":
    main()
