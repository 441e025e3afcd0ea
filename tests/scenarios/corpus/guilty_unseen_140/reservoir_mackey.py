# gradwatch-corpus: kind=graph-chain
# holder: esn.h | self.h
# first-bad: 1
# notice: 5
"""Echo-state network on a delay series; input weights and readout learn online."""
import torch
from collections import deque

torch.set_num_threads(1)
torch.manual_seed(6)


def mackey_glass(n, tau=17, beta=0.2, gamma=0.1):
    past = deque([1.2] * tau, maxlen=tau)
    x, out = 1.2, []
    for _ in range(n):
        x = x + beta * past[0] / (1 + past[0] ** 10) - gamma * x
        past.append(x)
        out.append(x - 0.9)
    return torch.tensor(out)


def sparse_recurrent(n, radius, density=0.2):
    w = torch.randn(n, n) * (torch.rand(n, n) < density)
    return w * radius / torch.linalg.eigvals(w).abs().max()


class EchoState:
    def __init__(self, n=30, leak=0.4, radius=0.85):
        self.leak = leak
        self.recurrent = sparse_recurrent(n, radius)
        self.w_in = (0.5 * torch.randn(2, n)).requires_grad_()
        self.w_out = torch.zeros(n + 1, 1).requires_grad_()
        self.h = torch.zeros(1, n)

    def listen(self, value):
        u = torch.stack([value, torch.ones(())]).unsqueeze(0)
        pre = u @ self.w_in + self.h @ self.recurrent
        self.h = (1 - self.leak) * self.h + self.leak * torch.tanh(pre)  # <- culprit
        return self

    def forecast(self):
        return (torch.cat([self.h, torch.ones(1, 1)], 1) @ self.w_out).squeeze()

    @property
    def learnable(self):
        return [self.w_in, self.w_out]


class OnlineLearner:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam([{"params": [model.w_out], "lr": lr}, {"params": [model.w_in], "lr": lr / 20}])
        self.errors = deque(maxlen=50)

    def consume(self, now, then):
        error = (self.model.listen(now).forecast() - then) ** 2
        self.opt.zero_grad()
        error.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.model.learnable, 1.0)
        self.opt.step()
        self.errors.append(error.item())


series = mackey_glass(700)
esn = EchoState()
for v in series[:150]:
    with torch.no_grad():
        esn.listen(v)

learner = OnlineLearner(esn, lr=5e-3)
for t, (now, then) in enumerate(zip(series[150:470], series[156:476])):
    learner.consume(now, then)
    if t % 80 == 79:
        print(t + 1, "rms over the last fifty:", round((sum(learner.errors) / len(learner.errors)) ** 0.5, 4))
