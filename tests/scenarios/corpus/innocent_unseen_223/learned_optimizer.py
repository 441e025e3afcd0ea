# gradwatch-corpus: kind=none
# "Learning to learn by gradient descent by gradient descent", on small quadratics
import torch
import torch.nn as nn
import torch.optim as optim

UNROLL = 5
OPTIM_STEPS = 40


class QuadraticLoss:
    def __init__(self, n=8):
        self.W = torch.randn(n, n) / n ** 0.5
        self.y = torch.randn(n)

    def get_loss(self, theta):
        return torch.sum((self.W @ theta - self.y) ** 2)


class Optimizer(nn.Module):
    def __init__(self, hidden_sz=16, p=10.0):
        super().__init__()
        self.hidden_sz = hidden_sz
        self.recurs = nn.LSTMCell(2, hidden_sz)
        self.recurs2 = nn.LSTMCell(hidden_sz, hidden_sz)
        self.output = nn.Linear(hidden_sz, 1)
        self.p = p

    def preprocess(self, g):
        g = g.detach()
        big = g.abs() >= torch.exp(torch.tensor(-self.p))
        log = torch.where(big, g.abs().clamp(min=1e-12).log() / self.p, torch.full_like(g, -1.0))
        sign = torch.where(big, g.sign(), g * 22026.0)
        return torch.stack([log, sign], dim=1)

    def forward(self, g, hidden, cell):
        x = self.preprocess(g)
        h0, c0 = self.recurs(x, (hidden[0], cell[0]))
        h1, c1 = self.recurs2(h0, (hidden[1], cell[1]))
        return self.output(h1).squeeze(1), (h0, h1), (c0, c1)


def do_fit(opt_net, meta_opt, training):
    target = QuadraticLoss()
    n = 8
    theta = torch.randn(n, requires_grad=True)
    hidden = [torch.zeros(n, opt_net.hidden_sz) for _ in range(2)]
    cell = [torch.zeros(n, opt_net.hidden_sz) for _ in range(2)]
    ever = []
    all_losses = None
    for it in range(1, OPTIM_STEPS + 1):
        loss = target.get_loss(theta)
        ever.append(loss.item())
        if training:
            all_losses = loss if all_losses is None else all_losses + loss
        g, = torch.autograd.grad(loss, theta, retain_graph=training)
        with torch.set_grad_enabled(training):
            update, hidden, cell = opt_net(g, hidden, cell)
            theta = theta + 0.1 * update
        if not training:
            theta.requires_grad_()
        if it % UNROLL == 0:
            if training:
                all_losses = all_losses + target.get_loss(theta)
                meta_opt.zero_grad()
                all_losses.backward()
                meta_opt.step()
            all_losses = None
            theta = theta.detach().requires_grad_()
            hidden = [h.detach() for h in hidden]
            cell = [c.detach() for c in cell]
    return ever


torch.manual_seed(123)
opt_net = Optimizer()
meta_opt = optim.Adam(opt_net.parameters(), lr=5e-3)
best = float("inf")
for episode in range(16):
    do_fit(opt_net, meta_opt, training=True)
    if episode % 5 == 4:
        final = sum(do_fit(opt_net, None, training=False)[-1] for _ in range(3)) / 3
        best = min(best, final)
        print("episode", episode + 1, "final loss", round(final, 4))
print("best", best)
