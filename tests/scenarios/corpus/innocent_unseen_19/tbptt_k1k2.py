# gradwatch-corpus: kind=none
"""Truncated BPTT with separate k1 and k2 by hand, on the delayed-echo task. The window of (input state,
output state) pairs is walked back segment by segment; one optimizer step per sequence."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class OneStep(nn.Module):
    def __init__(self, n_sym, hidden):
        super().__init__()
        self.emb = nn.Embedding(n_sym, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.read = nn.Linear(hidden, n_sym)

    def forward(self, token, state):
        state = self.cell(self.emb(token), state)
        return self.read(state), state


class TBPTT:
    def __init__(self, one_step, optimizer, k1, k2):
        assert k1 <= k2
        self.one_step, self.optimizer, self.k1, self.k2 = one_step, optimizer, k1, k2
        self.overlap = k2 > k1  # a segment in two windows is walked twice

    def _walk_back(self, states):
        """states[-1][1] already has had its own backward; send the gradient on through the older segments."""
        for i in range(len(states) - 1):
            entered = states[-i - 1][0]
            if entered is None or entered.grad is None:
                break
            states[-i - 2][1].backward(entered.grad, retain_graph=self.overlap)
            entered.grad = None

    def train_sequence(self, inputs, targets, state):
        states = [(None, state)]
        total, n = 0.0, 0
        self.optimizer.zero_grad()
        for j, (x, y) in enumerate(zip(inputs, targets)):
            entering = states[-1][1].detach().requires_grad_()
            logits, leaving = self.one_step(x, entering)
            states.append((entering, leaving))
            while len(states) > self.k2:
                del states[0]
            if (j + 1) % self.k1 == 0:
                loss = F.cross_entropy(logits, y)
                loss.backward(retain_graph=self.overlap)
                if states[0][0] is None:
                    self._walk_back(states[1:])
                else:
                    self._walk_back(states)
                for entered, _ in states:
                    if entered is not None:
                        entered.grad = None
                total += loss.item()
                n += 1
        nn.utils.clip_grad_norm_(self.one_step.parameters(), 1.0)
        self.optimizer.step()
        return total / n, states[-1][1].detach()


def echo(batch, length, delay, n_sym, gen):
    x = torch.randint(1, n_sym, (length, batch), generator=gen)
    y = torch.zeros_like(x)
    y[delay:] = x[:-delay]
    return x, y


def main():
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    net = OneStep(6, 24)
    runner = TBPTT(net, torch.optim.Adam(net.parameters(), lr=8e-3), k1=4, k2=5)
    state = torch.zeros(16, 24)
    recent = None
    for it in range(220):
        x, y = echo(16, 12, 2, 6, gen)
        loss, state = runner.train_sequence(x, y, state)
        recent = loss if recent is None else 0.95 * recent + 0.05 * loss
        if it % 40 == 0:
            print(it, round(recent, 4))


main()
