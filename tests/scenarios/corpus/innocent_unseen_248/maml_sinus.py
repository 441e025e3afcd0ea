# gradwatch-corpus: kind=none
# MAML for few-shot regression of sinusoids; two inner steps, second order
import math
import random

import torch
import torch.nn.functional as F

torch.manual_seed(2)
random.seed(2)
torch.set_num_threads(1)

INNER_LR = 0.01
META_LR = 2e-3
INNER_STEPS = 2
TASKS = 4
K = 10
META_ITERS = 120


class SineTask:
    def __init__(self):
        self.amp = random.uniform(0.5, 4.0)
        self.phase = random.uniform(0, math.pi)

    def batch(self, n):
        x = torch.rand(n, 1) * 10 - 5
        return x, self.amp * torch.sin(x + self.phase)


def init_params(hidden=40):
    sizes = [1, hidden, hidden, 1]
    params = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        params.append((torch.randn(b, a) * math.sqrt(1.0 / a)).requires_grad_(True))
        params.append(torch.zeros(b, requires_grad=True))
    return params


def net(x, params):
    x = F.relu(F.linear(x, params[0], params[1]))
    x = F.relu(F.linear(x, params[2], params[3]))
    return F.linear(x, params[4], params[5])


def adapt(params, task, steps, create_graph):
    fast = params
    for _ in range(steps):
        x, y = task.batch(K)
        loss = F.mse_loss(net(x, fast), y)
        grads = torch.autograd.grad(loss, fast, create_graph=create_graph)
        fast = [p - INNER_LR * g for p, g in zip(fast, grads)]
    return fast


def evaluate(params, n_tasks=10):
    state = random.getstate()
    random.seed(1000)
    total = 0.0
    for _ in range(n_tasks):
        task = SineTask()
        fast = adapt(params, task, steps=5, create_graph=False)
        fast = [p.detach() for p in fast]
        x, y = task.batch(100)
        total += F.mse_loss(net(x, fast), y).item()
    random.setstate(state)
    return total / n_tasks


def main():
    params = init_params()
    meta_opt = torch.optim.Adam(params, lr=META_LR)
    ema_loss = None
    print("before: %.3f" % evaluate(params))

    for it in range(1, META_ITERS + 1):
        query_losses = []
        for _ in range(TASKS):
            task = SineTask()
            fast = adapt(params, task, INNER_STEPS, create_graph=True)
            x, y = task.batch(K)
            query_losses.append(F.mse_loss(net(x, fast), y))
        meta_loss = sum(query_losses) / TASKS

        meta_opt.zero_grad()
        meta_loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 5.0)
        meta_opt.step()

        value = meta_loss.item()
        ema_loss = value if ema_loss is None else 0.95 * ema_loss + 0.05 * value
        if it % 30 == 0:
            print("iteration %d  meta loss %.3f  ema %.3f" % (it, value, ema_loss))

    print("after: %.3f" % evaluate(params))


if __name__ == "__main__":
    main()
