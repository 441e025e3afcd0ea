# gradwatch-corpus: kind=graph-held
# holder: taps | taps["layers.0"] | taps["layers.1"] | taps[name]
# first-bad: 1
# notice: 8
from collections import defaultdict

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(17)


class SelectiveScan(nn.Module):
    def __init__(self, width, state=6):
        super().__init__()
        self.log_a = nn.Parameter(torch.rand(width, state).log())
        self.to_dt = nn.Linear(width, width)
        self.to_bc = nn.Linear(width, 2 * state)
        self.gate = nn.Linear(width, width)

    def forward(self, u):
        dt = F.softplus(self.to_dt(u))
        b, c = self.to_bc(u).chunk(2, -1)
        decay = torch.exp(-dt.unsqueeze(-1) * self.log_a.exp())
        s = u.new_zeros(u.size(0), u.size(2), b.size(-1))
        ys = []
        for t in range(u.size(1)):
            s = decay[:, t] * s + (dt[:, t] * u[:, t]).unsqueeze(-1) * b[:, t].unsqueeze(1)
            ys.append((s * c[:, t].unsqueeze(1)).sum(-1))
        return u + torch.stack(ys, 1) * torch.sigmoid(self.gate(u))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = nn.Linear(3, 10)
        self.layers = nn.ModuleList([SelectiveScan(10), SelectiveScan(10)])
        self.read = nn.Linear(10, 2)

    def forward(self, x):
        h = self.lift(x)
        for layer in self.layers:
            h = layer(h)
        return self.read(h)


def watch(net, kinds):
    taps = defaultdict(list)

    def attach(name):
        def hook(_mod, _inp, out):
            taps[name].append(out.norm(dim=-1).mean())  # <- culprit
        return hook

    handles = [m.register_forward_hook(attach(n)) for n, m in net.named_modules() if isinstance(m, kinds)]
    return taps, handles


def selective_copy(n=6, length=10):
    sig = torch.randn(n, length, 1)
    flag = (torch.rand(n, length, 1) < 0.3).float()
    pad = torch.linspace(0, 1, length).view(1, -1, 1).expand(n, -1, -1)
    latch = torch.zeros(n, length, 1)
    cur = torch.zeros(n, 1)
    for t in range(length):
        cur = torch.where(flag[:, t] > 0, sig[:, t], cur)
        latch[:, t] = cur
    return torch.cat([sig, flag, pad], -1), (latch > 0).long().squeeze(-1)


net = Tagger()
taps, handles = watch(net, SelectiveScan)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for it in range(280):
    x, y = selective_copy()
    loss = F.cross_entropy(net(x).transpose(1, 2), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 70 == 69:
        print(it + 1, f"{loss.item():.3f}", {k: f"{v[-1].item():.2f}" for k, v in taps.items()})
for h in handles:
    h.remove()
