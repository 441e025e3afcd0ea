# gradwatch-corpus: kind=none
"""Learning to reweight noisy labels: unroll k inner SGD steps of the classifier, differentiate the clean
validation loss through them, update the weighting net; then the real classifier step with frozen weights."""
from __future__ import annotations

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(31)
G = torch.Generator().manual_seed(31)
D, C = 12, 4
CENTRES = 1.2 * torch.randn(C, D, generator=G)


def draw(n: int, flip: float):
    y = torch.randint(0, C, (n,), generator=G)
    x = CENTRES[y] + torch.randn(n, D, generator=G)
    wrong = torch.rand(n, generator=G) < flip
    return x, torch.where(wrong, torch.randint(0, C, (n,), generator=G), y)


def per_example(params, net, x, y):
    return nn.functional.cross_entropy(functional_call(net, params, (x,)), y, reduction="none")


def unroll(params, net, weigher, batches, lr):
    """Differentiable inner loop. Starts from copies, so the trajectory belongs to one outer step only."""
    traj = [params]
    for x, y in batches:
        cur = traj[-1]
        losses = per_example(cur, net, x, y)
        w = weigher(losses.detach().unsqueeze(1)).squeeze(1)
        inner = (w * losses).sum() / len(x)
        gs = torch.autograd.grad(inner, tuple(cur.values()), create_graph=True)
        traj.append({k: p - lr * g for (k, p), g in zip(cur.items(), gs)})
    return traj


def sample_grad_norms(net, x, y):
    """Diagnostic: spread of the per-sample gradients."""
    params = {k: v.detach() for k, v in net.named_parameters()}

    def one(p, xi, yi):
        return nn.functional.cross_entropy(functional_call(net, p, (xi.unsqueeze(0),)), yi.unsqueeze(0))

    gs = vmap(grad(one), in_dims=(None, 0, 0))(params, x, y)
    sq = sum(g.flatten(1).square().sum(1) for g in gs.values())
    return sq.sqrt()


def outer_step(net, weigher, opt_w, lr=0.1, k=3):
    start = {n: p.detach().clone().requires_grad_() for n, p in net.named_parameters()}
    traj = unroll(start, net, weigher, [draw(24, 0.4) for _ in range(k)], lr)
    val = per_example(traj[-1], net, *draw(48, 0.0)).mean()
    opt_w.zero_grad()
    val.backward(inputs=list(weigher.parameters()))
    opt_w.step()
    return val.item()


def inner_step(net, weigher, opt):
    x, y = draw(48, 0.4)
    losses = nn.functional.cross_entropy(net(x), y, reduction="none")
    with torch.no_grad():
        w = weigher(losses.unsqueeze(1)).squeeze(1)
        w = w / w.sum().clamp_min(1e-6)
    opt.zero_grad()
    loss = (w * losses).sum()
    loss.backward()
    opt.step()
    return loss.item()


def main(steps=240):
    net = nn.Sequential(nn.Linear(D, 24), nn.Tanh(), nn.Linear(24, C))
    weigher = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    opt_w = torch.optim.Adam(weigher.parameters(), lr=3e-3)
    trace = {"val": [], "train": []}
    for t in range(steps):
        trace["val"].append(outer_step(net, weigher, opt_w))
        trace["train"].append(inner_step(net, weigher, opt))
        if t % 60 == 0:
            norms = sample_grad_norms(net, *draw(16, 0.4))
            print(f"{t:4d}  val {trace['val'][-1]:.3f}  train {trace['train'][-1]:.3f}  |g| {norms.mean():.3f}±{norms.std():.3f}")


if __name__ == "__main__":
    main()
