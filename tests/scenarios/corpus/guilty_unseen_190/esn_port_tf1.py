# gradwatch-corpus: kind=graph-chain
# holder: net.state | self.state
# first-bad: 1
"""Echo-state network with a trained input map, ported from an old TF1 script."""
import numpy as np
import torch
from torch import nn

FLAGS = dict(n_res=40, n_in=1, leak=0.4, rho=0.9, lr=5e-3, washout=20, steps=480)


def mackey_glass(n, tau=17, seed=0):
    rng = np.random.RandomState(seed)
    hist = list(1.2 + 0.1 * rng.randn(tau + 1))
    for _ in range(n):
        x, xt = hist[-1], hist[-tau - 1]
        hist.append(x + 0.2 * xt / (1 + xt ** 10) - 0.1 * x)
    return torch.tensor(np.array(hist[tau + 1:]), dtype=torch.float32)


class ESN(nn.Module):
    def __init__(self, n_in, n_res, leak, rho):
        super().__init__()
        W = torch.randn(n_res, n_res) * (torch.rand(n_res, n_res) < 0.2)
        radius = torch.linalg.eigvals(W).abs().max()
        self.register_buffer("W", W * rho / radius)
        self.w_in = nn.Linear(n_in, n_res)
        self.readout = nn.Linear(n_res, n_in)
        self.leak = leak
        self.reset_state()

    def reset_state(self):
        self.state = torch.zeros(1, self.W.shape[0])

    def call(self, u):
        pre = self.w_in(u) + self.state @ self.W.t()
        self.state = (1 - self.leak) * self.state + self.leak * torch.tanh(pre)  # <- culprit
        return self.readout(self.state)


class Session:
    """keeps sess.run(...) looking as it did"""

    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def run(self, feed_dict):
        pred = self.net.call(feed_dict["u"])
        cost = (pred - feed_dict["y"]).pow(2).mean()
        if feed_dict["train"]:
            self.opt.zero_grad()
            cost.backward(retain_graph=True)
            self.opt.step()
        return {"cost": cost.item(), "pred": pred.detach().numpy()}


torch.manual_seed(1)
series = mackey_glass(FLAGS["steps"] + 2)
series = series - series.mean()
net = ESN(FLAGS["n_in"], FLAGS["n_res"], FLAGS["leak"], FLAGS["rho"])
sess = Session(net, FLAGS["lr"])
with torch.no_grad():
    for t in range(FLAGS["washout"]):
        net.call(series[t].view(1, 1))

costs = []
for step in range(FLAGS["steps"]):
    fetched = sess.run({"u": series[step].view(1, 1),
                        "y": series[step + 1].view(1, 1),
                        "train": True})
    costs.append(fetched["cost"])
    if step % 80 == 79:
        print("step %4d  cost %.5f" % (step, np.mean(costs[-80:])))
