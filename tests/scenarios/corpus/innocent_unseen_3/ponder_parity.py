# gradwatch-corpus: kind=none
# about: adaptive computation time: graph length varies between batches and rises to the cap of 24 cells
"""Adaptive computation time on parity: the cell runs until its halting units are satisfied."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(6)


class Ponder(nn.Module):
    def __init__(self, bits, width=64, cap=24, eps=.02):
        super().__init__()
        self.cell = nn.GRUCell(bits + 1, width)
        self.halt = nn.Linear(width, 1)
        self.say = nn.Linear(width, 1)
        nn.init.constant_(self.halt.bias, -1.5)
        self.cap, self.eps = cap, eps

    def forward(self, x):
        n = len(x)
        h = x.new_zeros(n, self.cell.hidden_size)
        budget = x.new_ones(n)
        answer, cost = 0., 0.
        flag = x.new_ones(n, 1)
        for k in range(self.cap):
            h = self.cell(torch.cat([x, flag], 1), h)
            flag = torch.zeros_like(flag)
            p = torch.sigmoid(self.halt(h)).squeeze(1)
            last = (budget.detach() - p.detach() < self.eps) | (k == self.cap - 1)
            weight = torch.where(last, budget, torch.minimum(p, budget))
            answer = answer + weight * self.say(h).squeeze(1)
            cost = cost + budget
            budget = (budget - weight).clamp_min(0)
            if bool((budget.detach() <= 1e-6).all()):
                break
        return answer, cost.mean(), k + 1


def parity(n, bits, active):
    v = torch.zeros(n, bits)
    live = torch.randint(1, active + 1, (n,))
    for i, m in enumerate(live.tolist()):
        v[i, :m] = torch.randint(2, (m,)) * 2. - 1
    return v, (v.eq(1).sum(1) % 2).float()


net = Ponder(12)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
depths = []
for it in range(360):
    price = 1e-3 if it < 150 else 4e-3
    x, y = parity(64, 12, 3 + it // 60)
    logit, cost, k = net(x)
    loss = F.binary_cross_entropy_with_logits(logit, y) + price * cost
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    depths.append(k)
    if it % 45 == 44:
        acc = ((logit > 0) == y.bool()).float().mean().item()
        print(f"it {it + 1}: loss {loss.item():.3f} accuracy {acc:.2f} ponder {cost.item():.2f} deepest of the last {max(depths[-45:])}")
