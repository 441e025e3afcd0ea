import torch
from torch import nn
from torch.func import functional_call


class ForceNet(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.a = nn.Linear(channels, 14)
        self.b = nn.Linear(14, 1)

    def forward(self, emg):
        return self.b(torch.tanh(self.a(emg))).squeeze(-1)


class MetaLearner:
    def __init__(self, net, inner_lr, inner_steps):
        self.net, self.lr, self.steps = net, inner_lr, inner_steps
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)

    def loss(self, fast, trial):
        emg, force = trial
        return ((functional_call(self.net, fast, (emg,)) - force) ** 2).mean()

    def adapt(self, support):
        fast = dict(self.net.named_parameters())
        for _ in range(self.steps):
            grads = torch.autograd.grad(self.loss(fast, support), list(fast.values()), create_graph=True)
            fast = {k: p - self.lr * g for (k, p), g in zip(fast.items(), grads)}
        return fast

    def meta_step(self, people):
        outer = [self.loss(self.adapt(support), query) for support, query in people]
        meta = torch.stack(outer).mean()
        self.opt.zero_grad()
        meta.backward()
        self.opt.step()
        return meta.item()
