# gradwatch-corpus: kind=graph-chain
# holder: learner.theta | self.theta | theta
# first-bad: 1
# notice: 5
"""Hypergradient descent: the step size of an inner ridge learner is itself learned."""
import torch

torch.set_num_threads(1)


class InnerLearner:
    def __init__(self, dim, log_lr):
        self.theta = torch.zeros(dim)
        self.log_lr = log_lr

    def objective(self, theta, x, y, lam=1e-3):
        return ((x @ theta - y) ** 2).mean() + lam * theta.pow(2).sum()

    def inner_grad(self, x, y):
        th = self.theta.detach().requires_grad_()
        return torch.autograd.grad(self.objective(th, x, y), th)[0]

    def update(self, x, y):
        self.theta = self.theta - self.log_lr.exp() * self.inner_grad(x, y)  # <- culprit
        return self.theta


def make_batch(w, n=16):
    x = torch.randn(n, w.numel())
    return x, x @ w + 0.1 * torch.randn(n)


def main(n_outer=300):
    torch.manual_seed(19)
    log_lr = torch.tensor(-5.0, requires_grad=True)
    learner = InnerLearner(12, log_lr)
    meta = torch.optim.SGD([log_lr], lr=0.02)
    w = torch.randn(12)
    for outer in range(n_outer):
        theta = learner.update(*make_batch(w))
        val = learner.objective(theta, *make_batch(w))
        meta.zero_grad()
        val.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_value_([log_lr], 1.0)
        meta.step()
        with torch.no_grad():
            log_lr.clamp_(-7.0, -2.5)
        if outer % 75 == 0:
            print(outer, f"val {val.item():.4f} lr {log_lr.exp().item():.5f}")


main()
