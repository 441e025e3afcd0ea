import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

ADAPTERS = {}


def adapter(name):
    def deco(cls):
        ADAPTERS[name] = cls
        return cls
    return deco


class Adapter(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.steps = s.inner_steps
        self.net = nn.Sequential(nn.Linear(1, s.width), nn.Tanh(), nn.Linear(s.width, 1))
        self.trace = []

    def step_size(self, k):
        raise NotImplementedError

    def adapt(self, support):
        x, y = support
        fast = dict(self.net.named_parameters())
        self.trace = []
        for k in range(self.steps):
            loss = F.mse_loss(functional_call(self.net, fast, (x,)), y)
            self.trace.append(loss)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {n: p - self.step_size(k) * g for (n, p), g in zip(fast.items(), grads)}
        return fast


@adapter("fixed_rate")
class FixedRate(Adapter):
    def __init__(self, s):
        super().__init__(s)
        self.lr = s.inner_lr

    def step_size(self, k):
        return self.lr

    def rates(self):
        return [self.lr] * self.steps


@adapter("learned_rate")
class LearnedRate(Adapter):
    def __init__(self, s):
        super().__init__(s)
        self.log_rate = nn.Parameter(torch.full((s.inner_steps,), s.inner_lr).log())

    def step_size(self, k):
        return self.log_rate[k].exp()

    def rates(self):
        return self.log_rate.detach().exp().tolist()


class MetaTrainer:
    def __init__(self, s, adapter, bus):
        self.adapter, self.bus = adapter, bus
        self.opt = torch.optim.Adam(adapter.parameters(), lr=s.outer_lr)
        self.fast = None

    def query_loss(self, episode):
        self.fast = self.adapter.adapt(episode.support)
        x, y = episode.query
        return F.mse_loss(functional_call(self.adapter.net, self.fast, (x,)), y)

    def fit(self, batches):
        for i, episodes in enumerate(batches):
            loss = sum(self.query_loss(e) for e in episodes) / len(episodes)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.bus.send("outer", i, loss.item(), [t.item() for t in self.adapter.trace])
