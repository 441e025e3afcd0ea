# gradwatch-corpus: kind=none
# about: the forum's truncated backprop, k1 = 5, k2 = 10: pairs (state in, state out) of the last
# about: ten steps are kept, each step's graph its own; gradients are handed back by hand from
# about: pair to pair, so old graphs are rightly walked again, and dropped when they leave the
# about: window
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class TBPTT:
    def __init__(self, one_step_module, loss_module, k1, k2, optimizer):
        self.one_step_module = one_step_module
        self.loss_module = loss_module
        self.k1, self.k2 = k1, k2
        self.retain_graph = k1 < k2
        self.optimizer = optimizer
        self.losses = []

    def train(self, input_sequence, init_state):
        states = [(None, init_state)]
        for j, (inp, target) in enumerate(input_sequence):
            state = states[-1][1].detach()
            state.requires_grad = True
            output, new_state = self.one_step_module(inp, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]
            if (j + 1) % self.k1 == 0:
                loss = self.loss_module(output, target)
                self.optimizer.zero_grad()
                loss.backward(retain_graph=self.retain_graph)
                for i in range(self.k2 - 1):
                    if len(states) < i + 2 or states[-i - 2][0] is None:
                        break
                    curr_grad = states[-i - 1][0].grad
                    states[-i - 2][1].backward(curr_grad, retain_graph=self.retain_graph)
                self.optimizer.step()
                self.losses.append(loss.item())


class SafeSGD(torch.optim.SGD):
    """Steps on .data, so that graphs within the window may still be walked."""

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data.add_(p.grad, alpha=-group["lr"])


class OneStep(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.mix = nn.Linear(2 * dim, 2 * dim)

    def forward(self, inp, state):
        out = torch.tanh(self.mix(torch.cat([inp, state], dim=1)))
        output, new_state = out.chunk(2, dim=1)
        return output.contiguous(), new_state.contiguous()


def sequence(n, dim=12, batch=4):
    x = torch.zeros(batch, dim)
    for _ in range(n):
        x = 0.8 * x + 0.3 * torch.randn(batch, dim)
        yield x, x.roll(1, dims=1)


if __name__ == "__main__":
    torch.manual_seed(0)
    module = OneStep()
    runner = TBPTT(module, nn.MSELoss(), 5, 10, SafeSGD(module.parameters(), lr=0.1))
    for epoch in range(4):
        runner.train(sequence(ITERATIONS), torch.zeros(4, 12))
        print(f"epoch {epoch}: {len(runner.losses)} updates, loss {runner.losses[-1]:.6f}")
