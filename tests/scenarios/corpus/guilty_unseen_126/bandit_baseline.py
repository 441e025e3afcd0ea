# gradwatch-corpus: kind=graph-chain
# holder: agent.baseline | self.baseline
# first-bad: 1
# notice: 5
import torch
from torch import nn
from torch.distributions import Normal
from torch.optim import Optimizer

torch.set_num_threads(1)
torch.manual_seed(16)


class OldSGD(Optimizer):
    """plain sgd with weight decay, the way I learnt it"""

    def __init__(self, params, lr=1e-2, wd=0.0):
        super().__init__(params, dict(lr=lr, wd=wd))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                if group["wd"]:
                    d_p = d_p.add(p.data, alpha=group["wd"])
                p.data.add_(d_p, alpha=-group["lr"])


class PricingAgent(nn.Module):
    def __init__(self, ctx=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(ctx, 10), nn.Tanh())
        self.mu = nn.Linear(10, 1)
        self.value = nn.Linear(10, 1)
        self.baseline = torch.zeros(())

    def act(self, ctx):
        h = self.body(ctx)
        dist = Normal(self.mu(h), 0.3)
        price = dist.sample()
        return price, dist.log_prob(price), self.value(h)

    def loss(self, logp, reward, v):
        self.baseline = 0.8 * self.baseline + 0.2 * v.mean()  # <- culprit
        adv = reward - self.baseline
        return -(logp * adv).mean() + 0.5 * (reward - v).pow(2).mean()


def revenue(ctx, price):
    demand = torch.sigmoid(ctx.sum(1, keepdim=True) - price)
    return price * demand


agent = PricingAgent()
opt = OldSGD(agent.parameters(), lr=5e-3, wd=1e-4)
avg = 0.0
for day in range(200):
    ctx = torch.randn(12, 4)
    price, logp, v = agent.act(ctx)
    r = revenue(ctx, price)
    loss = agent.loss(logp, r, v)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    avg = 0.95 * avg + 0.05 * r.mean().item()
    if day % 50 == 0:
        print(day, round(avg, 4), round(loss.item(), 4))
