from torch import nn

from .capture import tap


class Denoiser(nn.Module):
    def __init__(self, n=24, width=40):
        super().__init__()
        self.inp = nn.Linear(n, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, n)
        self.inp.register_forward_hook(tap("inp"))
        self.mid.register_forward_hook(tap("mid"))

    def forward(self, x):
        return self.out(self.mid(self.inp(x).relu()).relu())
