# gradwatch-corpus: kind=graph-chain
# holder: state
# first-bad: 1
# notice: 5
import torch, torch.nn as nn
torch.set_num_threads(1)
torch.manual_seed(8)


class Reservoir(nn.Module):
    """fixed random recurrent part, only the start and the readout are learnt"""

    def __init__(self, nin, n, rho=.9):
        super().__init__()
        w = torch.randn(n, n) / n ** .5
        self.register_buffer('w', rho * w / torch.linalg.eigvals(w).abs().max())
        self.register_buffer('win', torch.randn(n, nin) * .4)
        self.start = nn.Parameter(torch.zeros(n))
        self.readout = nn.Linear(n, 1)

    def step(self, r, u):
        return torch.tanh(self.w @ r + self.win @ u)

    def forward(self, us, r):
        ys = []
        for u in us:
            r = self.step(r, u)
            ys.append(self.readout(r))
        return torch.cat(ys), r


def sensor(T):
    u = torch.rand(T, 2)
    y = torch.zeros(T)
    for t in range(2, T):
        y[t] = .5 * y[t - 1] + .3 * u[t - 1, 0] - .2 * u[t - 2, 1]
    return u, y


net = Reservoir(2, 30)
opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
u, y = sensor(1000)
state = net.start
log = []
for blk in range(240):
    a = blk * 4
    pred, state = net(u[a:a + 4], state)  # <- culprit
    mse = nn.functional.mse_loss(pred, y[a:a + 4])
    opt.zero_grad()
    mse.backward(retain_graph=True)  # <- culprit
    opt.step()
    log.append(mse.item())
print('first', sum(log[:20]) / 20, 'last', sum(log[-20:]) / 20)
