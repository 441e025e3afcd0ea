# gradwatch-corpus: kind=none
# about: at each time step a backward with retain_graph=True through all steps since the window
# about: began, and a step by hand; after twenty the state is detached: the age of the oldest
# about: graph grows to twenty and falls to nothing, for ever
import torch
import torch.nn as nn
from parts.pace import ITERATIONS

WINDOW = 20


class Tracker(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.wx, self.wh = nn.Linear(2, hidden), nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Linear(hidden, 2)

    def forward(self, x, h):
        h = torch.tanh(self.wx(x) + self.wh(h))
        return self.out(h), h


def sgd_(params, lr):
    for p in params:
        if p.grad is not None:
            p.data.add_(p.grad.data, alpha=-lr)
            p.grad = None


def main():
    torch.manual_seed(0)
    net = Tracker()
    h, phase, running = torch.zeros(8, 12), torch.rand(8, 1) * 6, 0.0
    for t in range(2 * ITERATIONS):
        if t % WINDOW == 0:
            h = h.detach()
        x = torch.cat([phase.sin(), phase.cos()], 1)
        phase = phase + 0.3
        target = torch.cat([phase.sin(), phase.cos()], 1)
        out, h = net(x, h)
        loss = (out - target).pow(2).mean()
        loss.backward(retain_graph=(t + 1) % WINDOW != 0)
        sgd_(net.parameters(), lr=0.05)
        running += 0.02 * (loss.item() - running)
        if t % 100 == 99:
            print(f"t {t + 1}: {running:.6f}")


if __name__ == "__main__":
    main()
