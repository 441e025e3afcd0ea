# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
"""Few-shot regression with a closed-form ridge head on meta-learned features."""
from collections import OrderedDict
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(2)


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(1, 32)
        self.b = nn.Linear(32, 16)
        self.norm = nn.LayerNorm(16)

    def forward(self, x):
        return self.norm(self.b(torch.tanh(self.a(x))))


def task(k=8, q=12):
    amp, ph = torch.rand(()) * 4 + 1, torch.rand(()) * 3.14
    x = torch.rand(k + q, 1) * 10 - 5
    y = amp * torch.sin(x + ph)
    return (x[:k], y[:k]), (x[k:], y[k:])


def ridge(phi, y, lam):
    gram = phi @ phi.t() + lam * torch.eye(len(phi))
    return phi.t() @ torch.linalg.solve(gram, y)


class MetaLearner:
    def __init__(self, net, lam=0.3, noise=0.0):
        self.net, self.lam, self.noise = net, lam, noise

    def weights(self):
        base = OrderedDict(self.net.state_dict())  # <- culprit
        if self.noise:
            base = OrderedDict((k, v + self.noise * torch.randn_like(v)) for k, v in base.items())
        return base

    def episode_loss(self, support, query):
        w = self.weights()
        phi = functional_call(self.net, w, (support[0],))
        beta = ridge(phi, support[1], self.lam)
        return nn.functional.mse_loss(functional_call(self.net, w, (query[0],)) @ beta, query[1])


def main(meta_batch=4, iters=300):
    net = Features()
    learner = MetaLearner(net, noise=0.01)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for it in range(iters):
        loss = sum(learner.episode_loss(*task()) for _ in range(meta_batch)) / meta_batch
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            print(it, loss.item())


main()
