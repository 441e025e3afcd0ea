# gradwatch-corpus: kind=none
"""Meta-learned length-of-stay model: each hospital is a task, two inner steps with second-order gradients."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

torch.manual_seed(18)

N_FEAT = 10
HOSPITALS_PER_STEP = 3
INNER_STEPS = 2
INNER_LR = 0.05
META_STEPS = 80


class Stay(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(N_FEAT, 24)
        self.l2 = nn.Linear(24, 1)

    def forward(self, x):
        return self.l2(torch.tanh(self.l1(x))).squeeze(1)


def hospital(shared):
    beta = shared + 0.4 * torch.randn(N_FEAT)
    x = torch.randn(40, N_FEAT)
    y = x @ beta + 0.2 * torch.randn(40)
    return (x[:20], y[:20]), (x[20:], y[20:])


def adapt(net, fast, support):
    x, y = support
    path = []
    for _ in range(INNER_STEPS):
        loss = F.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {k: p - INNER_LR * g for (k, p), g in zip(fast.items(), grads)}
        path.append(loss.item())
    return fast, path


net = Stay()
meta_opt = torch.optim.Adam(net.parameters(), lr=5e-3)
shared = torch.linspace(-1, 1, N_FEAT)
curve = {"meta": [], "before": [], "after": []}

for step in range(META_STEPS):
    query_losses = []
    firsts = []
    for _ in range(HOSPITALS_PER_STEP):
        support, query = hospital(shared)
        fast, path = adapt(net, dict(net.named_parameters()), support)
        query_losses.append(F.mse_loss(functional_call(net, fast, (query[0],)), query[1]))
        firsts.append(path[0])
    meta_loss = torch.stack(query_losses).mean()
    meta_opt.zero_grad()
    meta_loss.backward()
    meta_opt.step()
    curve["meta"].append(meta_loss.item())
    curve["before"].append(sum(firsts) / len(firsts))
    curve["after"].append(path[-1])
    if step % 20 == 0:
        print(f"meta step {step}: query={curve['meta'][-1]:.3f} support-before={curve['before'][-1]:.3f}")
