# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(5)


class StreamingTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(10, 20, num_layers=2, batch_first=True)
        self.out = nn.Linear(20, 5)
        self.carry = None

    def forward(self, chunk):
        h, self.carry = self.lstm(chunk, self.carry)
        return self.out(h)

    def rest(self):
        self.carry = tuple(c.detach() for c in self.carry)


def chunks(n, t=12):
    phone = torch.randint(0, 5, (4, 1))
    proto = torch.randn(5, 10)
    for _ in range(n):
        lab = []
        for _ in range(t):
            phone = torch.where(torch.rand(4, 1) < 0.2, torch.randint(0, 5, (4, 1)), phone)
            lab.append(phone)
        lab = torch.cat(lab, 1)
        yield proto[lab] + 0.5 * torch.randn(4, t, 10), lab


net = StreamingTagger()
opt = torch.optim.Adam(net.parameters(), 3e-3)
pending, group = [], 3
for i, (x, lab) in enumerate(chunks(1500)):
    pending.append(F.cross_entropy(net(x).flatten(0, 1), lab.flatten()))
    if len(pending) == group:
        opt.zero_grad()
        torch.stack(pending).mean().backward()
        opt.step()
        net.rest()
        pending.clear()
    if i % 300 == 299:
        print(i, net.carry[0].norm().item())
