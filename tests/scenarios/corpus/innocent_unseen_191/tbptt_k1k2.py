# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F


class TBPTT:
    def __init__(self, cell, head, opt, k1=4, k2=12):
        self.cell, self.head, self.opt = cell, head, opt
        self.k1, self.k2 = k1, k2

    def run(self, stream, state):
        states = [(None, state)]
        for t, (x, y) in enumerate(stream):
            before = states[-1][1].detach().requires_grad_()
            after = self.cell(x, before)
            states.append((before, after))
            while len(states) > self.k2:
                del states[0]
            if (t + 1) % self.k1:
                continue
            loss = F.mse_loss(self.head(after), y)
            self.opt.zero_grad()
            loss.backward(retain_graph=True)
            for i in range(len(states) - 1, 0, -1):
                if states[i - 1][0] is None:
                    break
                grad = states[i][0].grad
                states[i - 1][1].backward(grad, retain_graph=True)
                states[i][0].grad = None
            states[1][0].grad = None
            yield t, loss.item()


class SlowStep:
    """Collects gradients and applies them only after the window has moved on."""

    def __init__(self, params, lr, every):
        self.params, self.lr, self.every = list(params), lr, every
        self.pending = [torch.zeros_like(p) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def take(self):
        for slot, p in zip(self.pending, self.params):
            if p.grad is not None:
                slot.add_(p.grad)

    @torch.no_grad()
    def apply(self):
        for slot, p in zip(self.pending, self.params):
            p.sub_(self.lr * slot / self.every)
            slot.zero_()


def echo(steps, lag, batch, gen):
    past = [torch.zeros(batch, 2) for _ in range(lag)]
    for _ in range(steps):
        x = torch.randn(batch, 2, generator=gen)
        yield x, past[0]
        past = past[1:] + [x]


def main():
    torch.manual_seed(30)
    gen = torch.Generator().manual_seed(31)
    cell, head = nn.RNNCell(2, 32), nn.Linear(32, 2)
    slow = SlowStep(list(cell.parameters()) + list(head.parameters()), lr=0.1, every=10)
    trainer = TBPTT(cell, head, slow)
    for episode in range(45):
        total = []
        for t, loss in trainer.run(echo(40, 3, 16, gen), torch.zeros(16, 32)):
            slow.take()
            total.append(loss)
        slow.apply()
        print(episode, f"{sum(total) / len(total):.4f}")


if __name__ == "__main__":
    main()
