import torch


def init(sizes, gain):
    out = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        out.append((gain * torch.randn(a, b) / a ** 0.5).requires_grad_())
        out.append(torch.zeros(b, requires_grad=True))
    return out


def net(params, x):
    w1, b1, w2, b2 = params
    return torch.tanh(x @ w1 + b1) @ w2 + b2


def transition(dyn, x, u):
    return x + 0.2 * net(dyn, torch.cat([x, u], dim=-1))


def one_step_error(dyn, data):
    pred = transition(dyn, data.x, data.u)
    return ((pred - data.x_next) ** 2).sum(-1).mean()


def stage_cost(x, u):
    return (x[:, :3] ** 2).sum(-1) + 0.1 * (x[:, 3:] ** 2).sum(-1) + 0.05 * (u ** 2).sum(-1)


def rollout_cost(dyn, law, x, horizon):
    total = 0.0
    for _ in range(horizon):
        u = 2.0 * torch.tanh(net(law, x))
        total = total + stage_cost(x, u).mean()
        x = transition(dyn, x, u)
    return total / horizon
