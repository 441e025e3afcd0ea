import torch
from torch import nn


class HyperNet(nn.Module):
    def __init__(self, n, d_in, d_out, emb=8, hid=24):
        super().__init__()
        self.emb = nn.Embedding(n, emb)
        self.trunk = nn.Sequential(nn.Linear(emb, hid), nn.ReLU())
        self.w, self.b = nn.Linear(hid, d_in * d_out), nn.Linear(hid, d_out)
        self.shape = (d_out, d_in)

    def forward(self, cid):
        h = self.trunk(self.emb(torch.tensor(cid)))
        return {"weight": self.w(h).view(self.shape), "bias": self.b(h)}


class Server:
    """`issued` remembers what each client was last sent; the answer is turned into a vector-Jacobian product."""

    def __init__(self, n, d_in, d_out, lr):
        self.net = HyperNet(n, d_in, d_out)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9)
        self.issued = {}
        self.reports = {}
        self.answers = []

    def dispatch(self, cid):
        self.issued[cid] = self.net(cid)
        return self.issued[cid]

    def receive(self, cid, tuned, loss):
        self.reports[cid] = loss
        self.answers.append((cid, tuned))

    def commit(self):
        self.opt.zero_grad()
        for cid, tuned in self.answers:
            sent = self.issued[cid]
            delta = [(sent[k] - tuned[k]).detach() for k in sent]
            torch.autograd.backward(list(sent.values()), delta)
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        self.answers.clear()

    @torch.no_grad()
    def preview(self, cid):
        return self.net(cid)

    def worst(self):
        return max(self.reports, key=lambda c: self.reports[c].item())
