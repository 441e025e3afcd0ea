# gradwatch-corpus: kind=none
# about: MAML: create_graph over 1 to 6 inner steps (schedule), so the graph grows stepwise and stops; trace holds floats
# %% [markdown]
# MAML on sinusoids; the number of inner steps follows a schedule 1, 2, ... 6
# %%
import math
from functools import partial

import torch
from torch.func import functional_call

torch.manual_seed(12)
net = torch.nn.Sequential(torch.nn.Linear(1, 32), torch.nn.Tanh(), torch.nn.Linear(32, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
inner_rates = torch.nn.ParameterDict({k.replace(".", "_"): torch.nn.Parameter(torch.tensor(.02)) for k, _ in net.named_parameters()})
outer = torch.optim.Adam([*net.parameters(), *inner_rates.parameters()], lr=2e-3)

# %%
def sample_wave():
    amp, shift = .5 + 3 * torch.rand(()), math.pi * torch.rand(())
    return lambda n: (lambda x: (x, amp * torch.sin(x + shift)))(torch.rand(n, 1) * 8 - 4)


def fit_error(weights, xy):
    x, y = xy
    return (functional_call(net, weights, (x,)) - y).square().mean()


def adapt(wave, depth, differentiable):
    fast = dict(net.named_parameters())
    for _ in range(depth):
        err = fit_error(fast, wave(8))
        grads = torch.autograd.grad(err, list(fast.values()), create_graph=differentiable)
        fast = {k: w - inner_rates[k.replace(".", "_")] * g for (k, w), g in zip(fast.items(), grads)}
        if not differentiable:
            fast = {k: w.detach().requires_grad_() for k, w in fast.items()}
    return fast

# %%
trace = []
for it in range(240):
    depth = 1 + it // 40
    outer.zero_grad()
    post = 0.
    for wave in (sample_wave() for _ in range(3)):
        query = partial(fit_error, xy=wave(12))
        loss = query(adapt(wave, depth, True)) / 3
        loss.backward()
        post += loss.item()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.)
    outer.step()
    trace.append(post)
    if it % 30 == 29:
        print(f"outer {it + 1} depth {depth} post-adaptation {sum(trace[-30:]) / 30:.3f}")

# %%
probe = sample_wave()
tuned = adapt(probe, 10, False)
with torch.no_grad():
    print("ten steps on a new wave:", round(fit_error(tuned, probe(50)).item(), 4))
