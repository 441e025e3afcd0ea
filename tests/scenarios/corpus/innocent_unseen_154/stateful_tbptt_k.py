# gradwatch-corpus: kind=none
"""Adding problem, streaming version: backward every k1 steps through the last k2 steps.

From a forum thread on truncated BPTT with k1 != k2.
"""
import torch
import torch.nn as nn

torch.manual_seed(17)
torch.set_num_threads(1)


class TBPTT:
    def __init__(self, one_step, loss_fn, k1, k2, optimizer):
        self.one_step, self.loss_fn = one_step, loss_fn
        self.k1, self.k2 = k1, k2
        self.retain_graph = k1 < k2
        self.optimizer = optimizer

    def train(self, sequence, init_state):
        states = [(None, init_state)]
        total = 0.0
        for j, (inp, target) in enumerate(sequence):
            state = states[-1][1].detach()
            state.requires_grad = True
            output, new_state = self.one_step(inp, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]

            if (j + 1) % self.k1 == 0:
                loss = self.loss_fn(output, target)
                self.optimizer.zero_grad()
                loss.backward(retain_graph=self.retain_graph)
                for i in range(self.k2 - 1):
                    if states[-i - 2][0] is None:
                        break
                    curr_grad = states[-i - 1][0].grad
                    states[-i - 2][1].backward(curr_grad, retain_graph=self.retain_graph)
                    if i + 3 > len(states):
                        break
                self.apply_step(states)
                total += loss.item()
        return total / (len(sequence) // self.k1)

    def apply_step(self, states):
        nn.utils.clip_grad_norm_(self.one_step.parameters(), 1.0)
        with torch.no_grad():
            for p in self.one_step.parameters():
                p.data.add_(p.grad, alpha=-0.05)
        for s, _ in states:
            if s is not None:
                s.grad = None


class Cell(nn.Module):
    def __init__(self, h=16):
        super().__init__()
        self.inp, self.rec, self.out = nn.Linear(1, h), nn.Linear(h, h), nn.Linear(h, 1)

    def forward(self, x, s):
        s = torch.tanh(self.inp(x) + self.rec(s))
        return self.out(s), s


def delayed_sum(n, bs=8, lag=2):
    x = torch.randn(n, bs, 1)
    y = x.clone()
    y[lag:] = y[lag:] + x[:-lag]
    return list(zip(x, y))


cell = Cell()
runner = TBPTT(cell, nn.MSELoss(), k1=2, k2=5, optimizer=torch.optim.SGD(cell.parameters(), 0.05))
for epoch in range(6):
    mse = runner.train(delayed_sum(80), torch.zeros(8, 16))
    print("sequence", epoch, "mse", round(mse, 4))
