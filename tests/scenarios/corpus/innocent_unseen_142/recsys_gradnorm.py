# gradwatch-corpus: kind=none
# Three-task ranking with GradNorm balancing.
import torch
from torch import nn
import torch.nn.functional as F
torch.set_num_threads(1)


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.item = nn.Embedding(30, 6), nn.Embedding(40, 6)
        self.shared = nn.Linear(12, 12)
        self.heads = nn.ModuleList(nn.Linear(12, 1) for _ in range(3))

    def forward(self, u, i):
        h = torch.relu(self.shared(torch.cat([self.user(u), self.item(i)], 1)))
        return [head(h).squeeze(1) for head in self.heads]


class GradNorm:
    def __init__(self, shared, n, alpha=1.0):
        self.w = torch.ones(n, requires_grad=True)
        self.opt = torch.optim.Adam([self.w], lr=5e-3)
        self.shared, self.alpha, self.initial = shared, alpha, None

    def norms(self, losses):
        return torch.stack([torch.autograd.grad(w * l, self.shared, create_graph=True)[0].norm()
                            for w, l in zip(self.w, losses)])

    def balance(self, losses):
        now = torch.stack(losses).detach()
        if self.initial is None:
            self.initial = now
        g = self.norms(losses)
        rate = now / self.initial
        goal = (g.mean() * (rate / rate.mean()) ** self.alpha).detach()
        gap = (g - goal).abs().sum()
        self.w.grad = torch.autograd.grad(gap, self.w)[0]
        return gap

    def apply(self):
        self.opt.step()
        with torch.no_grad():
            self.w.mul_(len(self.w) / self.w.sum())


def log_rows(n):
    u, i = torch.randint(0, 30, (n,)), torch.randint(0, 40, (n,))
    s = torch.sin(u.float() * 1.3 + i.float() * 0.7)
    return u, i, [(s > 0).float(), s * 5, (s > 0.8).float()]


def task_losses(out, tgt):
    return [F.binary_cross_entropy_with_logits(out[0], tgt[0]), F.mse_loss(out[1], tgt[1]),
            F.binary_cross_entropy_with_logits(out[2], tgt[2])]


def main():
    torch.manual_seed(3)
    net = Ranker()
    bal = GradNorm(net.shared.weight, 3)
    opt = torch.optim.Adam(net.parameters(), 3e-3)
    curve = []
    for it in range(400):
        u, i, tgt = log_rows(24)
        losses = task_losses(net(u, i), tgt)
        opt.zero_grad()
        sum(w * l for w, l in zip(bal.w.detach().clone(), losses)).backward(retain_graph=True)
        gap = bal.balance(losses)
        opt.step()
        bal.apply()
        curve.append([gap.item()] + [l.item() for l in losses])
        if it % 80 == 0:
            print(it, [round(c, 3) for c in curve[-1]], bal.w.tolist())


main()
