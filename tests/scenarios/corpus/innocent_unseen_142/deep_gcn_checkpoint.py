# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm, self.lin = nn.LayerNorm(d), nn.Linear(d, d)

    def forward(self, h, adj):
        return h + adj @ F.relu(self.lin(self.norm(h)))


class DeepGCN(nn.Module):
    def __init__(self, fin, d=10, depth=3, out=1):
        super().__init__()
        self.inp, self.out = nn.Linear(fin, d), nn.Linear(d, out)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.taps = {}
        for i, b in enumerate(self.blocks):
            b.register_forward_hook(lambda mod, args, res, i=i: self.taps.__setitem__(i, res))

    def forward(self, x, adj):
        h = torch.relu(self.inp(x))
        for b in self.blocks:
            h = checkpoint(b, h, adj, use_reentrant=False)
        return self.out(h)

    def oversmoothing(self):
        return [round(t.var(0).mean().item(), 3) for _, t in sorted(self.taps.items())]


class Molecules:
    def __init__(self, n, gen):
        self.graphs = []
        for _ in range(n):
            k = int(torch.randint(5, 10, (1,), generator=gen))
            a = (torch.rand(k, k, generator=gen) < 0.3).float()
            a = ((a + a.t() + torch.eye(k)) > 0).float()
            x = torch.randn(k, 4, generator=gen)
            self.graphs.append((x, a / a.sum(1, keepdim=True), (a @ x).relu().sum(1, keepdim=True).mean()))

    def epoch(self, size=4):
        order = torch.randperm(len(self.graphs)).tolist()
        for s in range(0, len(order), size):
            yield [self.graphs[j] for j in order[s:s + size]]


torch.manual_seed(28)
data = Molecules(40, torch.Generator().manual_seed(5))
net = DeepGCN(4)
opt = torch.optim.Adam(net.parameters(), 2e-3)
last_epoch = None
for epoch in range(42):
    losses = []
    for batch in data.epoch():
        preds = torch.stack([net(x, a).mean() for x, a, _ in batch])
        loss = F.smooth_l1_loss(preds, torch.stack([y for *_, y in batch]))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        losses.append(loss)
    mean = sum(losses) / len(losses)
    if epoch % 7 == 0:
        gain = None if last_epoch is None else round(last_epoch - mean.item(), 4)
        print(epoch, round(mean.item(), 4), gain, net.oversmoothing())
    last_epoch = mean.item()
