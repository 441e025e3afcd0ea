# gradwatch-corpus: kind=graph-chain
# holder: fast | params
# first-bad: 1
# notice: 5
"""Learning the step size of a streaming regressor by its hypergradient."""
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(40)

net = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
log_step = nn.Parameter(torch.tensor(-3.0))
outer = torch.optim.SGD([log_step], lr=0.05)


def stream():
    phase = 0.0
    while True:
        phase += 0.01
        x = torch.rand(10, 2) * 2 - 1
        yield x, torch.sin(2 * x[:, :1] + phase) * x[:, 1:]


def loss_at(params, batch):
    x, y = batch
    return (functional_call(net, params, (x,)) - y).square().mean()


def inner(params, batch, step):
    loss = loss_at(params, batch)
    grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
    return {k: p - step * g.clamp(-1, 1) for (k, p), g in zip(params.items(), grads)}, loss  # <- culprit


def outer_update(params, batch):
    held_out = loss_at(params, batch)
    (hyper,) = torch.autograd.grad(held_out, [log_step], retain_graph=True)
    log_step.grad = hyper.clamp(-0.5, 0.5)
    outer.step()
    with torch.no_grad():
        log_step.clamp_(-5.0, -1.5)
    return held_out.item()


def run(n_iter):
    fast = {k: p.detach().clone().requires_grad_() for k, p in net.named_parameters()}
    source = stream()
    smooth = 0.0
    for i in range(n_iter):
        fast, seen = inner(fast, next(source), log_step.exp())  # <- culprit
        value = outer_update(fast, next(source))
        smooth = 0.9 * smooth + 0.1 * value
        if i % 40 == 39:
            print(f"{i + 1:3d} train {seen.item():.4f} held-out {smooth / (1 - 0.9 ** (i + 1)):.4f} "
                  f"step {log_step.exp().item():.4f}")
    return fast


if __name__ == "__main__":
    final = run(165)
    print("norm of the final weights", sum(p.pow(2).sum() for p in final.values()).sqrt().item())
