# gradwatch-corpus: kind=none
"""Water levels of a canal reach, hour by hour: truncated backpropagation over eight hours."""
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(51)


def hours(total, reaches=6):
    level = torch.zeros(reaches, 2)
    for t in range(total):
        rain = max(0.0, math.sin(t / 17)) + 0.2 * torch.rand(reaches, 2)
        level = 0.9 * level + 0.1 * rain
        yield rain, level[:, :1].clone()


class Reach(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.cell = nn.LSTMCell(2, width)
        self.gauge = nn.Linear(width, 1)

    def forward(self, rain, state):
        state = self.cell(rain, state)
        return self.gauge(state[0]), state


class Window:
    """Collects the loss of a window and cuts the memory at its end."""

    def __init__(self, span):
        self.span, self.loss, self.n = span, 0.0, 0

    def add(self, loss):
        self.loss = self.loss + loss
        self.n += 1
        return self.n == self.span

    def close(self, state):
        mean, self.loss, self.n = self.loss / self.n, 0.0, 0
        return mean, tuple(s.detach() for s in state)


def main():
    reach = Reach()
    opt = torch.optim.Adam(reach.parameters(), lr=5e-3)
    window, state, log = Window(8), None, []
    for rain, level in hours(880):
        guess, state = reach(rain, state)
        if window.add(F.mse_loss(guess, level)):
            opt.zero_grad()
            pending, cut = window.close(state)
            pending.backward()
            nn.utils.clip_grad_norm_(reach.parameters(), 1.0)
            opt.step()
            state = cut
            log.append(pending.item())
            if len(log) % 22 == 0:
                print(f"window {len(log):3d}: {sum(log[-22:]) / 22:.5f}")


main()
