import torch
import torch.nn as nn
import torch.nn.functional as F


class RunningNorm(nn.Module):
    """Whitening by running statistics; the loss sees a snapshot of them."""

    def __init__(self, d, m=0.05):
        super().__init__()
        self.m = m
        self.register_buffer("mean", torch.zeros(d))
        self.register_buffer("var", torch.ones(d))

    def forward(self, h):
        if self.training:
            with torch.no_grad():
                flat = h.flatten(0, -2)
                self.mean.lerp_(flat.mean(0), self.m)
                self.var.lerp_(flat.var(0), self.m)
        return (h - self.mean) / (self.var + 1e-5).sqrt()


class Encoder(nn.Module):
    def __init__(self, i, h):
        super().__init__()
        self.cell = nn.GRUCell(i, h)
        self.norm = RunningNorm(h)

    def forward(self, x):
        h = x.new_zeros(x.size(0), self.cell.hidden_size)
        out = x.new_empty(x.size(0), x.size(1), self.cell.hidden_size)
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)
            out[:, t] = h
        return self.norm(out)


class SpeechNet(nn.Module):
    def __init__(self, n_mel, hidden, phones, speakers):
        super().__init__()
        self.encoder = Encoder(n_mel, hidden)
        self.heads = nn.ModuleDict({"phone": nn.Linear(hidden, phones), "spk": nn.Linear(hidden, speakers)})

    def losses(self, x, phone, spk):
        z = self.encoder(x).mean(1)
        lp = F.cross_entropy(self.heads["phone"](z), phone)
        ls = F.cross_entropy(self.heads["spk"](z), spk)
        return lp, ls, 1e-3 * z.pow(2).mean()

    def contraction(self, x):
        x = x[:8].clone().requires_grad_(True)
        y = self.encoder(x)
        (g,) = torch.autograd.grad(y.pow(2).mean(), x, create_graph=True)
        return g.pow(2).sum()
