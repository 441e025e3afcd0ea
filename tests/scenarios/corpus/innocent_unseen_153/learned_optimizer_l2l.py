# gradwatch-corpus: kind=none
"""Learning to learn by gradient descent by gradient descent: coordinatewise LSTM, unroll of 5."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(61)


class Quadratic:
    def __init__(self, n=6):
        self.W = torch.randn(n, n) / n ** 0.5
        self.y = torch.randn(n)

    def loss(self, theta):
        return ((self.W @ theta - self.y) ** 2).sum()


class LSTMOptimizer(nn.Module):
    def __init__(self, h=12):
        super().__init__()
        self.h = h
        self.cell = nn.LSTMCell(1, h)
        self.out = nn.Linear(h, 1)

    def init_state(self, n):
        return torch.zeros(n, self.h), torch.zeros(n, self.h)

    def forward(self, g, state):
        h, c = self.cell(g, state)
        return 0.1 * self.out(h), (h, c)


def run_task(meta_net, task, horizon, unroll, meta_opt=None):
    theta = torch.randn(6, requires_grad=True)
    state = meta_net.init_state(6)
    losses, total, seen = [], 0, []
    for t in range(1, horizon + 1):
        loss = task.loss(theta)
        losses.append(loss)
        seen.append(loss.item())
        g = torch.autograd.grad(loss, theta, retain_graph=True)[0].detach()
        step, state = meta_net(g[:, None], state)
        theta = theta + step.squeeze(1)
        if t % unroll == 0:
            if meta_opt is not None:
                total = sum(losses) + task.loss(theta)
                meta_opt.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(meta_net.parameters(), 1.0)
                meta_opt.step()
            losses = []
            theta = theta.detach().requires_grad_()
            state = tuple(s.detach() for s in state)
    return seen


meta_net = LSTMOptimizer()
meta_opt = torch.optim.Adam(meta_net.parameters(), lr=5e-3)
for episode in range(25):
    seen = run_task(meta_net, Quadratic(), horizon=20, unroll=5, meta_opt=meta_opt)
    if episode % 5 == 0:
        print(episode, "first %.3f last %.3f" % (seen[0], seen[-1]))
test = run_task(meta_net, Quadratic(), 20, 5)
print("held out", round(test[0], 3), "->", round(test[-1], 3))
