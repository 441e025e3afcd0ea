import torch


class Stage:
    """A part of the model that owns its optimizer and what it has in flight."""

    def __init__(self, module, lr):
        self.module = module
        self.opt = torch.optim.Adam(module.parameters(), lr=lr)
        self.flight = {}

    def forward(self, tag, x, first):
        inp = x if first else x.detach().requires_grad_()
        out = self.module(inp)
        self.flight[tag] = (inp, out)
        return out

    def backward(self, tag, upstream=None):
        inp, out = self.flight.pop(tag)
        if upstream is None:
            out.backward()
        else:
            torch.autograd.backward(out, upstream)
        return inp.grad

    def replace(self, tag, out):
        self.flight[tag] = (self.flight[tag][0], out)

    def step(self):
        self.opt.step()
        self.opt.zero_grad()
