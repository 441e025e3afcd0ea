# gradwatch-corpus: kind=none
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(62)

K = 6
STEPS = 480


class State:
    """Attribute bag; `cut()` replaces every tensor by its value."""

    def __init__(self, **kw):
        self.__dict__["bag"] = kw

    def __getattr__(self, name):
        bag = self.__dict__["bag"]
        if name not in bag:
            raise AttributeError(name)
        return bag[name]

    def __setattr__(self, name, value):
        self.bag[name] = value

    def cut(self):
        self.bag.update({k: v.detach() for k, v in self.bag.items() if torch.is_tensor(v)})


class Patient(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.cell = nn.GRUCell(2, width)
        self.out = nn.Linear(width, 1)
        self.width = width

    def forward(self, meal, sugar, state):
        state.h = self.cell(torch.stack([meal, sugar]).view(1, 2), state.h)
        return self.out(state.h).squeeze()


def day():
    sugar, t = torch.tensor(0.0), 0
    while True:
        meal = torch.tensor(1.0 if t % 16 in (0, 5, 10) else 0.0)
        nxt = 0.9 * sugar + 0.5 * meal - 0.05 * math.sin(t / 8) + 0.01 * torch.randn(())
        yield meal, sugar, nxt
        sugar, t = nxt, t + 1


def main():
    net = Patient()
    opt = torch.optim.Adam(net.parameters(), lr=6e-3)
    state = State(h=torch.zeros(1, net.width), mae=torch.zeros(()))
    source = day()
    for step in range(STEPS):
        # every sample's error goes back through the whole window so far, gradients add up
        opt.zero_grad()
        for k in range(K):
            meal, sugar, target = next(source)
            pred = net(meal, sugar, state)
            err = (pred - target).pow(2)
            (err / K).backward(retain_graph=k < K - 1)
            state.mae = 0.99 * state.mae + 0.01 * (pred - target).abs()
        opt.step()
        state.cut()
        if step % 80 == 0:
            print(f"{step:4d} mae {state.mae.item():.4f}")


if __name__ == "__main__":
    main()
