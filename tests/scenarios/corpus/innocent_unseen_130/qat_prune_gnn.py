# gradwatch-corpus: kind=none
"""Node classification with a quantised, pruned graph convolution and accumulation over subgraphs."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(61)


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step):
        q = torch.round(x / step)
        ctx.save_for_backward(q.abs() <= 127)
        return q.clamp(-127, 127) * step

    @staticmethod
    def backward(ctx, g):
        (ok,) = ctx.saved_tensors
        return g * ok, None


class QConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.w = nn.Parameter(torch.randn(i, o) / i ** 0.5)
        self.register_buffer("keep", torch.ones(i, o))
        self.quant = False

    def forward(self, adj, h):
        w = self.w * self.keep
        if self.quant:
            w = Round.apply(w, w.detach().abs().max() / 127)
        return adj @ (h @ w)

    @torch.no_grad()
    def prune(self, share):
        cut = self.w.abs().flatten().kthvalue(int(share * self.w.numel()) + 1).values
        self.keep.copy_(self.w.abs() >= cut)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.c2 = QConv(8, 24), QConv(24, 4)

    def forward(self, adj, x):
        return self.c2(adj, torch.relu(self.c1(adj, x)))


def subgraph(n=15):
    label = torch.randint(0, 4, (n,))
    same = (label[:, None] == label[None]).float()
    adj = (torch.rand(n, n) < 0.1 + 0.4 * same).float() + torch.eye(n)
    adj = adj / adj.sum(1, keepdim=True)
    x = torch.randn(n, 8)
    x[torch.arange(n), label] += 1
    return adj, x, label


net = Net()
opt = torch.optim.Adam(net.parameters(), 5e-3)
best, stash = float("inf"), None
for step in range(900):
    if step == 300:
        net.c1.quant = net.c2.quant = True
    if step in (400, 600):
        net.c1.prune(step / 1200)
    opt.zero_grad()
    run = 0.0
    for _ in range(3):
        adj, x, label = subgraph()
        logits = net(adj, x)
        loss = nn.functional.cross_entropy(logits, label)
        (loss / 3).backward()
        run += loss.item() / 3
    opt.step()
    if run < best:
        best, stash = run, {"logits": logits, "step": step}
    if step == 700:
        torch.set_grad_enabled(False)
        try:
            adj, x, label = subgraph(60)
            print("held out", (net(adj, x).argmax(1) == label).float().mean().item())
        finally:
            torch.set_grad_enabled(True)
print(best, stash["step"], stash["logits"].norm().item())
