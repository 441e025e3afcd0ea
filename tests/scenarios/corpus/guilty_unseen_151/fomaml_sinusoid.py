# gradwatch-corpus: kind=graph-chain
# holder: self.fast_weights | learner.fast_weights
# first-bad: 1
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class SinusoidTasks:
    def __init__(self, k_shot=8, seed=0):
        self.k = k_shot
        self.g = torch.Generator().manual_seed(seed)

    def sample(self):
        amp = torch.rand(1, generator=self.g) * 4.9 + 0.1
        phase = torch.rand(1, generator=self.g) * math.pi
        x = torch.rand(2 * self.k, 1, generator=self.g) * 10 - 5
        y = amp * torch.sin(x + phase)
        return x[:self.k], y[:self.k], x[self.k:], y[self.k:]


class Regressor(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.ParameterList()
        for i, o in ((1, hidden), (hidden, hidden), (hidden, 1)):
            w = nn.Parameter(torch.empty(o, i))
            nn.init.kaiming_normal_(w)
            self.net.extend([w, nn.Parameter(torch.zeros(o))])

    def forward(self, x, weights=None):
        w = list(self.net) if weights is None else weights
        x = torch.relu(F.linear(x, w[0], w[1]))
        x = torch.relu(F.linear(x, w[2], w[3]))
        return F.linear(x, w[4], w[5])


class Learner:
    """First-order MAML, one task per meta step, with a cheap warm start of the inner loop."""

    def __init__(self, net, inner_lr=0.01, meta_lr=1e-3, inner_steps=2, warm_start=True):
        self.net = net
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.warm_start = warm_start
        self.fast_weights = None
        self.meta_optim = torch.optim.Adam(net.parameters(), lr=meta_lr)

    def _start(self):
        if self.warm_start and self.fast_weights is not None:
            return self.fast_weights  # <- culprit
        return list(self.net.parameters())

    def adapt(self, x_spt, y_spt):
        fast = self._start()
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.net(x_spt, fast), y_spt)
            grads = torch.autograd.grad(loss, fast)
            fast = [p - self.inner_lr * g.clamp(-10, 10) for p, g in zip(fast, grads)]
        self.fast_weights = fast  # <- culprit
        return fast

    def meta_step(self, task):
        x_spt, y_spt, x_qry, y_qry = task
        fast = self.adapt(x_spt, y_spt)
        loss_q = F.mse_loss(self.net(x_qry, fast), y_qry)
        self.meta_optim.zero_grad()
        loss_q.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.meta_optim.step()
        return loss_q.item()


def main():
    torch.manual_seed(222)
    tasks = SinusoidTasks()
    learner = Learner(Regressor())
    losses = []
    for step in range(100):
        losses.append(learner.meta_step(tasks.sample()))
        if (step + 1) % 25 == 0:
            print(f"step: {step + 1}\tquery loss: {sum(losses[-25:]) / 25:.4f}")


if __name__ == "__main__":
    main()
