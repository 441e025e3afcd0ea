# gradwatch-corpus: kind=none
# Few-shot pharmacokinetics: adapt a concentration curve model to a new patient from 6 samples (MAML).
import torch
import torch.nn.functional as F
from torch.func import functional_call


def patient(g, n):
    ka = 0.8 + 1.5 * torch.rand(1, generator=g)
    ke = 0.1 + 0.4 * torch.rand(1, generator=g)
    vol = 0.6 + 0.9 * torch.rand(1, generator=g)
    t = torch.rand(n, 1, generator=g) * 12
    c = ka / (vol * (ka - ke)) * (torch.exp(-ke * t) - torch.exp(-ka * t))
    return t / 6 - 1, c + 0.02 * torch.randn(c.shape, generator=g)


def make_net(h=32):
    return torch.nn.Sequential(torch.nn.Linear(1, h), torch.nn.Tanh(), torch.nn.Linear(h, h), torch.nn.Tanh(),
                               torch.nn.Linear(h, 1))


def adapt(net, t, c, log_lr, steps=2, create_graph=True):
    fast = dict(net.named_parameters())
    for _ in range(steps):
        loss = F.mse_loss(functional_call(net, fast, (t,)), c)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=create_graph)
        with torch.set_grad_enabled(create_graph):
            fast = {k: w - log_lr[k.replace(".", "_")].exp() * g for (k, w), g in zip(fast.items(), grads)}
        if not create_graph:
            fast = {k: w.requires_grad_() for k, w in fast.items()}
    return fast


def outer_loss(net, log_lr, g, k_shot=6, k_query=10):
    t, c = patient(g, k_shot + k_query)
    fast = adapt(net, t[:k_shot], c[:k_shot], log_lr)
    return F.mse_loss(functional_call(net, fast, (t[k_shot:],)), c[k_shot:])


def validate(net, log_lr, g, n=20):
    before, after = 0.0, 0.0
    for _ in range(n):
        t, c = patient(g, 20)
        fast = adapt(net, t[:6], c[:6], log_lr, steps=3, create_graph=False)
        with torch.no_grad():
            before += F.mse_loss(net(t[6:]), c[6:]).item()
            after += F.mse_loss(functional_call(net, fast, (t[6:],)), c[6:]).item()
    return before / n, after / n


def main(meta_iters=90, tasks=5):
    torch.manual_seed(2)
    g = torch.Generator().manual_seed(2)
    gv = torch.Generator().manual_seed(99)
    net = make_net()
    log_lr = torch.nn.ParameterDict(
        {k.replace(".", "_"): torch.nn.Parameter(torch.tensor(-3.0)) for k, _ in net.named_parameters()})
    opt = torch.optim.Adam([*net.parameters(), *log_lr.parameters()], 4e-3)
    curve = []
    for it in range(meta_iters):
        opt.zero_grad()
        total_loss = 0
        for _ in range(tasks):
            total_loss = total_loss + outer_loss(net, log_lr, g)
        total_loss = total_loss / tasks
        total_loss.backward()
        opt.step()
        curve.append(total_loss.item())
        if it % 30 == 29:
            b, a = validate(net, log_lr, gv)
            print(f"{it + 1} meta {sum(curve[-30:]) / 30:.4f} | val before {b:.4f} after {a:.4f}")


main()
