# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | fast
# also: retain-needless
import torch
from torch import nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(8)
torch.set_num_threads(1)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(3, 20)
        self.l2 = nn.Linear(20, 1)

    def forward(self, x):
        return self.l2(torch.tanh(self.l1(x)))


class LearnedRates(nn.Module):
    """One step size per parameter tensor, itself trained."""

    def __init__(self, names, init=-3.0):
        super().__init__()
        self.log_lr = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.tensor(init)) for n in names})

    def __getitem__(self, name):
        return self.log_lr[name.replace(".", "_")].exp()


class OnlineLearner:
    def __init__(self, net):
        self.net = net
        self.fast = {n: p.detach().clone().requires_grad_() for n, p in net.named_parameters()}
        self.rates = LearnedRates(self.fast)
        self.meta_opt = torch.optim.Adam(self.rates.parameters(), lr=0.01)

    def predict(self, x):
        return functional_call(self.net, self.fast, (x,))

    def adapt(self, x, y):
        loss = F.mse_loss(self.predict(x), y)
        grads = torch.autograd.grad(loss, list(self.fast.values()), retain_graph=True)
        self.fast = {n: p - self.rates[n] * g for (n, p), g in zip(self.fast.items(), grads)}  # <- culprit

    def meta_step(self, x, y):
        loss = F.mse_loss(self.predict(x), y)
        self.meta_opt.zero_grad()
        loss.backward(retain_graph=True)
        self.meta_opt.step()
        return loss.item()


def drifting_stream(n, batch=32):
    w = torch.randn(3, 1)
    for _ in range(n):
        w = w + 0.02 * torch.randn(3, 1)
        x = torch.randn(2 * batch, 3)
        y = torch.sin(x @ w)
        yield (x[:batch], y[:batch]), (x[batch:], y[batch:])


def main():
    learner = OnlineLearner(Regressor())
    for step, (support, query) in enumerate(drifting_stream(70)):
        learner.adapt(*support)
        val = learner.meta_step(*query)
        if step % 14 == 0:
            print(f"step {step} query mse {val:.4f}")
    print({k: round(v.exp().item(), 4) for k, v in learner.rates.log_lr.items()})


if __name__ == "__main__":
    main()
