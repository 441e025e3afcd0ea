# gradwatch-corpus: kind=none
import math

import torch

from flow import RealNVP

torch.set_num_threads(1)
torch.manual_seed(40)


def circles(n):
    r = torch.where(torch.rand(n) < 0.5, 1.0, 2.0)
    a = 2 * math.pi * torch.rand(n)
    return torch.stack([r * a.cos(), r * a.sin()], 1) + 0.08 * torch.randn(n, 2)


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.bad = patience, 0
        self.best, self.state = float("inf"), None

    def __call__(self, value, model):
        if value < self.best:
            self.best, self.bad = value, 0
            self.state = {k: v.clone() for k, v in model.state_dict().items()}
        else:
            self.bad += 1
        return self.bad > self.patience


flow = RealNVP(layers=6)
optim = torch.optim.Adam(flow.parameters(), lr=3e-3)
stopper = EarlyStopping(patience=6)
val = circles(256)
for it in range(120):
    nll = -flow.log_prob(circles(96)).mean()
    optim.zero_grad()
    nll.backward()
    torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    optim.step()
    if it % 10 == 9:
        flow.eval()
        with torch.no_grad():
            v = -flow.log_prob(val).mean().item()
        flow.train()
        if stopper(v, flow):
            print("early stop at", it)
            break
        if it % 30 == 29:
            print(it, "train %.3f val %.3f" % (nll.item(), v))
flow.load_state_dict(stopper.state)
print("best", round(stopper.best, 3), flow.sample(3).tolist())
