# gradwatch-corpus: kind=none
# %% second-order meta-learning of dose-response curves, a patient is a task
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(10)

net = nn.Sequential(nn.Linear(1, 14), nn.Tanh(), nn.Linear(14, 1))
inner_lr = nn.Parameter(torch.tensor(0.05))
meta_opt = torch.optim.Adam([*net.parameters(), inner_lr], lr=2e-3)


# %%
def patient():
    ec50, hill = torch.rand(()) * 2 - 1, 1 + 3 * torch.rand(())

    def sample(n):
        dose = torch.rand(n, 1) * 4 - 2
        return dose, torch.sigmoid(hill * (dose - ec50)) + 0.02 * torch.randn(n, 1)
    return sample


def adapt(params, dose, resp, steps):
    path = []
    for _ in range(steps):
        loss = F.mse_loss(functional_call(net, params, dose), resp)
        path.append(loss)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
        params = {k: p - inner_lr * g for (k, p), g in zip(params.items(), grads)}
    return params, path


# %%
running = None
for it in range(420):
    outer = 0.0
    for _ in range(3):
        sample = patient()
        fast, path = adapt(dict(net.named_parameters()), *sample(6), steps=2)
        dose, resp = sample(10)
        outer = outer + F.mse_loss(functional_call(net, fast, dose), resp) + 0.1 * path[-1]
    meta_opt.zero_grad()
    (outer / 3).backward()
    meta_opt.step()
    value = outer.item() / 3
    running = value if running is None else 0.98 * running + 0.02 * value
    if it % 70 == 0:
        print(it, round(running, 4), round(inner_lr.item(), 4))
