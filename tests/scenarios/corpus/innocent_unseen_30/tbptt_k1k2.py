# gradwatch-corpus: kind=none
"""Truncated BPTT with different periods: every K1 steps the loss is sent back through the last K2 steps."""
import torch
from torch import nn

K1, K2 = 2, 6
HIDDEN, BATCH, STEPS = 20, 12, 600


class DataSGD(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is not None:
                    p.data.sub_(p.grad.data.clamp(-1, 1), alpha=g["lr"])


class OneStep(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(1, HIDDEN)
        self.read = nn.Linear(HIDDEN, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.read(h), h


class TBPTT:
    def __init__(self, module, k1, k2, optimizer, loss_fn):
        self.module, self.k1, self.k2 = module, k1, k2
        self.optimizer, self.loss_fn = optimizer, loss_fn

    def train(self, sequence, h0):
        states = [(None, h0)]
        level = None
        for j, (x, target) in enumerate(sequence):
            state = states[-1][1].detach()
            state.requires_grad_(True)
            output, new_state = self.module(x, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]

            if (j + 1) % self.k1 == 0:
                loss = self.loss_fn(output, target)
                self.optimizer.zero_grad()
                loss.backward(retain_graph=True)
                for i in range(self.k2 - 1):
                    if len(states) < i + 2 or states[-i - 2][0] is None:
                        break
                    pulled = states[-i - 1][0].grad
                    again = i + self.k1 < self.k2 - 1
                    states[-i - 2][1].backward(pulled, retain_graph=again)
                for inp, _ in states:
                    if inp is not None:
                        inp.grad = None
                self.optimizer.step()
                level = loss.item() if level is None else 0.98 * level + 0.02 * loss.item()
                if (j + 1) % 150 == 0:
                    print(f"step {j + 1}: mse~{level:.4f}")


def wave(steps, batch):
    phase = torch.rand(batch, 1) * 6.28
    freq = 0.15 + 0.1 * torch.rand(batch, 1)
    for t in range(steps):
        yield torch.sin(freq * t + phase), torch.sin(freq * (t + 1) + phase)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = OneStep()
    runner = TBPTT(model, K1, K2, DataSGD(model.parameters(), lr=0.05), nn.MSELoss())
    runner.train(wave(STEPS, BATCH), torch.zeros(BATCH, HIDDEN))
