# gradwatch-corpus: kind=none
"""Market equilibrium layer: prices are a fixed point, its gradient comes from the implicit function theorem."""
import torch
from torch import nn

torch.manual_seed(47)
torch.set_num_threads(1)


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, u, start):
        z = start
        for _ in range(40):
            nxt = torch.tanh(z @ w.t() + x @ u.t())
            done = (nxt - z).abs().max() < 1e-5
            z = nxt
            if done:
                break
        ctx.save_for_backward(x, w, u, z)
        return z

    @staticmethod
    def backward(ctx, grad):
        x, w, u, z = ctx.saved_tensors
        slope = 1 - z.square()
        g = grad
        for _ in range(40):
            nxt = grad + (g * slope) @ w
            if (nxt - g).abs().max() < 1e-6:
                break
            g = nxt
        local = g * slope
        return local @ u, local.t() @ z, local.t() @ x, None


class Market(nn.Module):
    def __init__(self, n_goods, n_in, n_days):
        super().__init__()
        self.w = nn.Parameter(0.1 * torch.randn(n_goods, n_goods))
        self.u = nn.Parameter(0.3 * torch.randn(n_goods, n_in))
        self.read = nn.Linear(n_goods, 1)
        self.last = {d: torch.zeros(16, n_goods) for d in range(n_days)}

    def forward(self, day, x):
        z = FixedPoint.apply(x, self.w, self.u, self.last[day])
        self.last[day] = z.detach()
        return self.read(z).squeeze(1)


days = [torch.randn(16, 6) for _ in range(12)]
targets = [torch.tanh(d[:, 0] - d[:, 1] + 0.5 * d[:, 2]) for d in days]
market = Market(10, 6, len(days))
opt = torch.optim.Adam(market.parameters(), lr=1e-2)
for epoch in range(12):
    total = 0.0
    for day in torch.randperm(len(days)).tolist():
        loss = nn.functional.mse_loss(market(day, days[day]), targets[day])
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            market.w.mul_(min(1.0, 0.9 / float(torch.linalg.matrix_norm(market.w, 2))))
        total += loss.item()
    if epoch % 3 == 2:
        print(epoch, f"{total / len(days):.5f}")
