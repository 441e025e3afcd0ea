# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
from .fields import VectorField, spiral
from .solver import odeint


def main():
    torch.manual_seed(5)
    f = VectorField()
    opt = torch.optim.Adam(f.parameters(), lr=1e-2)
    ts = torch.linspace(0, 0.6, 5)
    for it in range(400):
        y0 = torch.randn(6, 2)
        loss = (odeint(f, y0, ts) - spiral(y0, ts)).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 100 == 0:
            print(it, round(loss.item(), 4), "nfe", f.calls)


main()
