# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn as nn
from equilibrium import Equilibrium

torch.manual_seed(16)


class Cell(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.w = nn.Linear(d, d)
        self.u = nn.Linear(6, d)
        with torch.no_grad():
            self.w.weight.mul_(0.4)

    def forward(self, z, x):
        return torch.tanh(self.w(z) + self.u(x))


model = nn.ModuleDict({"deq": Equilibrium(Cell(), 16), "out": nn.Linear(16, 3)})
opt = torch.optim.Adam(model.parameters(), 2e-3)
proto = torch.randn(3, 6)
for it in range(420):
    y = torch.randint(0, 3, (16,))
    x = proto[y] + 0.4 * torch.randn(16, 6)
    loss = nn.functional.cross_entropy(model["out"](model["deq"](x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 100 == 0:
        print(it, loss.item(), model["deq"].iterations)
