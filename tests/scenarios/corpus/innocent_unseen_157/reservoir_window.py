# gradwatch-corpus: kind=none
"""Online tuning of a reservoir's input matrix: every sample backpropagates through the last few states."""
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(4)


class Reservoir(nn.Module):
    def __init__(self, inputs, size, radius=0.8):
        super().__init__()
        w = torch.randn(size, size) / size ** 0.5
        self.register_buffer("recur", radius * w / torch.linalg.eigvals(w).abs().max())
        self.w_in = nn.Parameter(0.3 * torch.randn(size, inputs))

    def forward(self, x, state):
        return torch.tanh(state @ self.recur.t() + x @ self.w_in.t())


class WindowedTrainer:
    """k1 = 1, k2 = depth: the graphs of the last `depth` samples stay and are walked again each time."""

    def __init__(self, reservoir, readout, depth=6, lr=3e-3):
        self.reservoir, self.readout, self.depth = reservoir, readout, depth
        self.optimizer = torch.optim.Adam(list(reservoir.parameters()) + list(readout.parameters()), lr=lr)
        size = reservoir.recur.shape[0]
        self.window = deque([(None, torch.zeros(1, size))], maxlen=depth + 1)

    def feed(self, x, target):
        entering = self.window[-1][1].detach().requires_grad_()
        leaving = self.reservoir(x, entering)
        self.window.append((entering, leaving))
        loss = nn.functional.mse_loss(self.readout(leaving), target)
        self.optimizer.zero_grad()
        for start, _ in self.window:
            if start is not None:
                start.grad = None
        loss.backward(retain_graph=True)
        for back in range(len(self.window) - 1, 0, -1):
            start = self.window[back][0]
            before = self.window[back - 1]
            if start is None or before[0] is None:
                break
            before[1].backward(start.grad, retain_graph=True)
        self.optimizer.step()
        return loss.item()


def narma(count):
    u = 0.5 * torch.rand(count)
    y = torch.zeros(count)
    for t in range(3, count - 1):
        y[t + 1] = 0.3 * y[t] + 0.05 * y[t] * y[t - 3:t].sum() + 1.5 * u[t - 3] * u[t] + 0.1
    return u, y


def main(count=160):
    u, y = narma(count)
    trainer = WindowedTrainer(Reservoir(1, 24), nn.Linear(24, 1))
    errors = deque(maxlen=20)
    for t in range(count):
        errors.append(trainer.feed(u[t].view(1, 1), y[t].view(1, 1)))
        if t % 40 == 39:
            print(f"sample {t + 1:3d} error of the last 20: {sum(errors) / len(errors):.5f}")


if __name__ == "__main__":
    main()
