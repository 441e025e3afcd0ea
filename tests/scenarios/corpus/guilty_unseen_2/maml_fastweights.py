# gradwatch-corpus: kind=graph-chain
# holder: fast | self.fast | learner.fast
# first-bad: 1
"""Few-shot sine regression, a meta-learned initialisation, second order."""
import torch
import torch.nn.functional as F


class Learner:
    def __init__(self, hidden=12, inner_lr=0.02):
        self.inner_lr = inner_lr
        self.meta = [
            (torch.randn(hidden, 1) * 0.7).requires_grad_(),
            torch.zeros(hidden, requires_grad=True),
            (torch.randn(1, hidden) * 0.3).requires_grad_(),
            torch.zeros(1, requires_grad=True),
        ]
        self.fast = [p.clone() for p in self.meta]

    @staticmethod
    def net(x, w):
        return F.linear(torch.tanh(F.linear(x, w[0], w[1])), w[2], w[3])

    def adapt(self, x, y):
        loss = F.mse_loss(self.net(x, self.fast), y)
        grads = torch.autograd.grad(loss, self.fast, create_graph=True)
        self.fast = [p - self.inner_lr * g for p, g in zip(self.fast, grads)]  # <- culprit

    def outer(self, x, y):
        return F.mse_loss(self.net(x, self.fast), y)


def sine_task():
    amp, ph = 0.5 + 2 * torch.rand(1), 3.1416 * torch.rand(1)

    def draw(n):
        x = 6 * torch.rand(n, 1) - 3
        return x, amp * torch.sin(x + ph)
    return draw


torch.manual_seed(10)
learner = Learner()
meta_opt = torch.optim.Adam(learner.meta, lr=1e-3)
for it in range(120):
    task = sine_task()
    learner.adapt(*task(10))
    loss = learner.outer(*task(10))
    meta_opt.zero_grad()
    loss.backward(retain_graph=True)
    meta_opt.step()
    if it % 24 == 0:
        print(it, "query mse %.4f" % loss.item())
