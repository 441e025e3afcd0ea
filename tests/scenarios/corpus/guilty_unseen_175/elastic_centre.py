# gradwatch-corpus: kind=graph-chain
# holder: centre
# first-bad: 1
"""Population training: three small regressors are pulled toward their slowly moving common centre."""
import torch
import torch.nn.functional as F

torch.manual_seed(11)

MEMBERS = 3
RHO = 0.05
TAU = 0.97


def init_params(d_in=5, d_h=16):
    return {
        "w1": (torch.randn(d_in, d_h) * 0.4).requires_grad_(),
        "b1": torch.zeros(d_h, requires_grad=True),
        "w2": (torch.randn(d_h, 1) * 0.3).requires_grad_(),
    }


def apply(params, x):
    h = torch.tanh(x @ params["w1"] + params["b1"])
    return (h @ params["w2"]).squeeze(-1)


def target(x):
    return torch.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2]


def batches(n, size, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        x = torch.randn(size, 5, generator=g)
        yield x, target(x) + 0.05 * torch.randn(size, generator=g)


def mean_of(population, key):
    return torch.stack([p[key] for p in population]).mean(dim=0)


def move_centre(centre, population):
    return {k: torch.lerp(c, mean_of(population, k), 1 - TAU) for k, c in centre.items()}


def elastic(params, centre):
    return sum(((params[k] - centre[k]) ** 2).sum() for k in params)


def main(steps=400):
    population = [init_params() for _ in range(MEMBERS)]
    centre = {k: torch.zeros_like(v) for k, v in population[0].items()}
    flat = [t for p in population for t in p.values()]
    opt = torch.optim.SGD(flat, lr=0.02, momentum=0.8)

    streams = [batches(steps, 32, seed=100 + m) for m in range(MEMBERS)]
    for step, parts in enumerate(zip(*streams)):
        centre = move_centre(centre, population)  # <- culprit
        fits = [F.mse_loss(apply(p, x), y) for p, (x, y) in zip(population, parts)]
        pulls = [elastic(p, centre) for p in population]
        loss = sum(fits) + RHO * sum(pulls)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 80 == 0:
            spread = sum(float(q) for q in pulls)
            print(step, "fit", round(sum(float(f) for f in fits), 4), "spread", round(spread, 4))

    with torch.no_grad():
        x = torch.randn(512, 5)
        err = F.mse_loss(apply(centre, x), target(x))
    print("centre error", float(err))


main()
