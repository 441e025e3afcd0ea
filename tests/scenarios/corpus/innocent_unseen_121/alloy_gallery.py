# gradwatch-corpus: kind=none
"""Formation energy of small crystals, message passing on dense adjacency."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(29)

ELEMENTS = 5
CARDS = 12


class Message(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.send = nn.Linear(d, d, bias=False)
        self.upd = nn.GRUCell(d, d)

    def forward(self, h, adj):
        b, n, d = h.shape
        m = adj @ self.send(h)
        return self.upd(m.reshape(b * n, d), h.reshape(b * n, d)).view(b, n, d)


class CrystalNet(nn.Module):
    def __init__(self, d=10):
        super().__init__()
        self.atom = nn.Embedding(ELEMENTS, d)
        self.rounds = nn.ModuleList([Message(d), Message(d)])
        self.energy = nn.Linear(d, 1)

    def forward(self, z, adj):
        h = self.atom(z)
        for r in self.rounds:
            h = r(h, adj)
        return self.energy(h).sum((1, 2))


def crystals(b, n=6):
    z = torch.randint(ELEMENTS, (b, n))
    adj = (torch.rand(b, n, n) < 0.4).float()
    adj = torch.triu(adj, 1)
    adj = adj + adj.transpose(1, 2)
    pair = (z.unsqueeze(1) - z.unsqueeze(2)).abs().float()
    e = (adj * (1.5 - pair)).sum((1, 2)) / 10
    return z, adj / adj.sum(-1, keepdim=True).clamp(min=1), e


class Gallery:
    """Predicted-versus-true cards from early training, for the plots in the appendix."""

    def __init__(self, every):
        self.every = every
        self.cards = []

    def maybe(self, step, pred, true):
        if step % self.every == 0 and len(self.cards) < CARDS:
            self.cards.append({"step": step, "pred": pred, "true": true})

    def spread(self):
        return [round((c["pred"] - c["true"]).std().item(), 3) for c in self.cards]


def main():
    net = CrystalNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    gallery = Gallery(every=6)
    for step in range(650):
        z, adj, e = crystals(10)
        pred = net(z, adj)
        loss = nn.functional.mse_loss(pred, e)
        opt.zero_grad()
        loss.backward()
        opt.step()
        gallery.maybe(step, pred, e)
    print("early spread", gallery.spread(), "final", round(loss.item(), 4))


main()
