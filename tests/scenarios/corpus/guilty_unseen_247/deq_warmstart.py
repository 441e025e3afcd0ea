# gradwatch-corpus: kind=graph-chain
# holder: state["z"] | state | z_init | z_star | aux["z"]
# first-bad: 1
"""Equilibrium encoder for slowly moving node signals; fixed point warm-started between frames."""
import math

import torch
import torch.nn.functional as F

torch.manual_seed(29)
torch.set_num_threads(1)

NODES = 48
DIM = 20
CLASSES = 4
FRAMES = 120
SOLVER_STEPS = 6


def make_graph(n):
    pos = torch.rand(n, 2)
    dist = torch.cdist(pos, pos)
    adj = (dist < 0.3).float()
    deg = adj.sum(1).clamp(min=1)
    norm = deg.rsqrt()
    return norm[:, None] * adj * norm[None, :]


def init_params(d_in, dim, classes):
    def glorot(a, b):
        bound = math.sqrt(6 / (a + b))
        return (torch.rand(a, b) * 2 - 1) * bound

    tree = {
        "inject": glorot(d_in, dim),
        "mix": 0.4 * glorot(dim, dim),
        "bias": torch.zeros(dim),
        "head": glorot(dim, classes),
    }
    return {k: v.requires_grad_() for k, v in tree.items()}


def cell(params, adj, z, x):
    message = adj @ (z @ params["mix"])
    return torch.tanh(message + x @ params["inject"] + params["bias"])


def solve(params, adj, x, z_init, steps):
    z = z_init
    for _ in range(steps):
        z = 0.5 * z + 0.5 * cell(params, adj, z, x)
    return z


def objective(params, state, frame, adj):
    x, labels = frame
    z_star = solve(params, adj, x, state["z"], SOLVER_STEPS)
    logits = z_star @ params["head"]
    residual = (cell(params, adj, z_star, x) - z_star).pow(2).mean()
    loss = F.cross_entropy(logits, labels) + 0.1 * residual
    aux = {"z": z_star, "residual": residual.item(), "logits": logits.detach()}  # <- culprit
    return loss, aux


def sgd(params, grads, lr):
    out = {}
    for (name, p), g in zip(params.items(), grads):
        out[name] = (p.detach() - lr * g).requires_grad_()
    return out


def frames(n):
    labels = torch.randint(0, CLASSES, (NODES,))
    centers = torch.randn(CLASSES, 8)
    for t in range(n):
        drift = 0.3 * math.sin(t / 15)
        x = centers[labels] + drift + 0.5 * torch.randn(NODES, 8)
        yield x, labels


def main():
    adj = make_graph(NODES)
    params = init_params(8, DIM, CLASSES)
    state = {"z": torch.zeros(NODES, DIM)}
    for t, frame in enumerate(frames(FRAMES)):
        loss, aux = objective(params, state, frame, adj)
        grads = torch.autograd.grad(loss, tuple(params.values()))
        params = sgd(params, grads, lr=0.2)
        state = {"z": aux["z"]}  # <- culprit
        if t % 30 == 0:
            acc = (aux["logits"].argmax(1) == frame[1]).float().mean().item()
            print(t, round(loss.item(), 4), round(acc, 3), round(aux["residual"], 5))


if __name__ == "__main__":
    main()
