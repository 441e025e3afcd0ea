# gradwatch-corpus: kind=none
"""Truncated BPTT with k1 != k2 for a GRU cell, on a delayed-copy task.

Every k1 steps the loss of the current step is propagated back through the last k2 states, by
hand: each state is cut from the one before, and the gradient carried over the cuts. The
gradients of a sequence add up, and the weights change at its end.
Follows the recipe from the PyTorch forum (thread on TBPTT by k1, k2).
"""
from collections import deque

import torch
import torch.nn as nn

torch.set_num_threads(1)


class CopyStream:
    """An endless stream of bits; the target is the bit `delay` steps before."""

    def __init__(self, batch, delay):
        self.batch, self.delay = batch, delay
        self.past = deque([torch.zeros(batch, 1)] * delay, maxlen=delay)

    def __iter__(self):
        while True:
            bit = torch.randint(0, 2, (self.batch, 1)).float()
            target = self.past[0]
            self.past.append(bit)
            yield bit, target


class Cell(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.GRUCell(1, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, h):
        return self.cell(x, h)


class TBPTT:
    def __init__(self, model, k1, k2, optimizer, loss_fn):
        assert k2 >= k1
        self.model, self.k1, self.k2 = model, k1, k2
        self.optimizer, self.loss_fn = optimizer, loss_fn
        # (state which enters a step, state which leaves it) of the last k2 steps
        self.states = deque(maxlen=k2)

    def train_sequence(self, stream, last, length):
        """One update from `length` steps of the stream; returns mean loss and the last state."""
        self.states.clear()
        self.optimizer.zero_grad()
        losses = []
        for j in range(length):
            x, target = next(stream)
            h_in = last.detach().requires_grad_(True)
            h_out = self.model(x, h_in)
            self.states.append((h_in, h_out))
            last = h_out
            if (j + 1) % self.k1 == 0:
                loss = self.loss_fn(self.model.out(h_out), target)
                self._backward(loss * self.k1 / length)
                losses.append(loss.item())
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return sum(losses) / len(losses), last

    def _backward(self, loss):
        """Hand the gradient of each entering state to the step which produced it."""
        states = list(self.states)
        for h_in, _ in states:
            h_in.grad = None
        loss.backward(retain_graph=True)
        for (_, produced), (entering, _) in zip(reversed(states[:-1]), reversed(states[1:])):
            produced.backward(entering.grad, retain_graph=True)


def main():
    torch.manual_seed(8)
    model = Cell(24)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    trainer = TBPTT(model, k1=2, k2=6, optimizer=optimizer, loss_fn=nn.BCEWithLogitsLoss())
    stream = iter(CopyStream(batch=16, delay=2))
    state, running = torch.zeros(16, 24), None
    for i in range(250):
        loss, state = trainer.train_sequence(stream, state, length=12)
        running = loss if running is None else 0.9 * running + 0.1 * loss
        if i % 25 == 0:
            print(f"sequence {i}: loss {running:.4f}")


if __name__ == "__main__":
    main()
