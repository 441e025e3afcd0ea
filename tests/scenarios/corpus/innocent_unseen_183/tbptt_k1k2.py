# gradwatch-corpus: kind=none
"""Truncated BPTT with separate k1/k2 on a delayed-echo task."""
import torch
from torch import nn


class OneStep(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.cell = nn.GRUCell(n_in, n_hidden)
        self.read = nn.Linear(n_hidden, 2)

    def forward(self, x, state):
        state = self.cell(x, state)
        return self.read(state), state


class TBPTT:
    def __init__(self, module, criterion, k1, k2, optimizer):
        self.module = module
        self.criterion = criterion
        self.k1, self.k2 = k1, k2
        self.optimizer = optimizer
        self.retain = k1 < k2

    def train(self, sequence, init_state):
        states = [(None, init_state)]
        losses = []
        for j, (inp, target) in enumerate(sequence):
            state = states[-1][1].detach()
            state.requires_grad_(True)
            output, new_state = self.module(inp, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]
            losses.append(self.criterion(output, target))
            if len(losses) > self.k1:
                del losses[0]
            if (j + 1) % self.k1 == 0:
                loss = sum(losses[-self.k1:]) / self.k1
                self.optimizer.zero_grad()
                for entry, _ in states:
                    if entry is not None:
                        entry.grad = None
                loss.backward(retain_graph=self.retain)
                for i in range(len(states) - 1):
                    if states[-i - 2][0] is None:
                        break
                    curr_grad = states[-i - 1][0].grad
                    states[-i - 2][1].backward(curr_grad, retain_graph=self.retain)
                self.optimizer.step()
                losses = []
                yield j, loss.item()


class DataSGD(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data.add_(p.grad.data, alpha=-group["lr"])


def echo(n, delay, batch, gen):
    bits = torch.randint(2, (n, batch), generator=gen)
    for t in range(n):
        target = bits[t - delay] if t >= delay else torch.zeros(batch, dtype=torch.long)
        yield nn.functional.one_hot(bits[t], 2).float(), target


def main():
    torch.manual_seed(4)
    gen = torch.Generator().manual_seed(4)
    net = OneStep(2, 16)
    opt = DataSGD(net.parameters(), lr=0.1)
    runner = TBPTT(net, nn.CrossEntropyLoss(), k1=1, k2=6, optimizer=opt)
    avg = 0.7
    for j, value in runner.train(echo(420, 3, 8, gen), torch.zeros(8, 16)):
        avg = 0.97 * avg + 0.03 * value
        if (j + 1) % 70 == 0:
            print(f"t {j + 1} loss {avg:.4f}")


if __name__ == "__main__":
    main()
