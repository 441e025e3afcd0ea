# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(83)


class Lookahead:
    def __init__(self, base, k=5, alpha=0.5):
        self.base, self.k, self.alpha, self.t = base, k, alpha, 0
        self.params = [p for g in base.param_groups for p in g["params"]]
        self.slow = [p.clone() for p in self.params]

    def zero_grad(self):
        self.base.zero_grad(set_to_none=False)

    def pull(self):
        return sum((p - s.detach()).square().sum() for p, s in zip(self.params, self.slow))

    def step(self):
        self.base.step()
        self.t += 1
        if self.t % self.k == 0:
            for i, p in enumerate(self.params):
                self.slow[i] = self.slow[i].detach().lerp(p, self.alpha)
                p.data.copy_(self.slow[i])


class Agreement:
    """Two losses over one forward pass, walked separately so that each gradient can be measured."""

    def __init__(self, model):
        self.model = model
        self.cos = 0.0

    def flat(self):
        return torch.cat([p.grad.flatten() for p in self.model.parameters()]).clone()

    def __call__(self, opt, sugar, acid):
        opt.zero_grad()
        sugar.backward(retain_graph=True)
        g1 = self.flat()
        acid.backward()
        g2 = self.flat() - g1
        self.cos = 0.9 * self.cos + 0.1 * torch.cosine_similarity(g1, g2, dim=0).item()


class Grapes(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 20), nn.Hardswish(), nn.Linear(20, 2))

    def forward(self, x):
        return self.net(x)


class Vineyard:
    def __init__(self):
        self.mix = torch.randn(8, 2) * 0.4

    def harvest(self, n):
        x = torch.randn(n, 8)
        return x, (x @ self.mix).tanh()


net, yard = Grapes(), Vineyard()
opt = Lookahead(torch.optim.Adam(net.parameters(), lr=4e-3))
agree = Agreement(net)
for _ in range(800):
    x, y = yard.harvest(24)
    err = (net(x) - y).square().mean(0)
    agree(opt, err[0] + 0.001 * opt.pull(), err[1])
    opt.step()
print(err.tolist(), round(agree.cos, 3))
