# gradwatch-corpus: kind=none
# Fit of adsorption isotherms (Toth model), one L-BFGS run over all gases at once,
# the pressure grid is refined as the fit goes on.
import numpy as np
import torch


class Toth(torch.nn.Module):
    def __init__(self, gases):
        super().__init__()
        self.log_q = torch.nn.Parameter(torch.zeros(gases, 1, dtype=torch.float64))
        self.log_b = torch.nn.Parameter(torch.zeros(gases, 1, dtype=torch.float64))
        self.raw_t = torch.nn.Parameter(torch.zeros(gases, 1, dtype=torch.float64))

    def forward(self, p):
        bp = self.log_b.exp() * p
        t = torch.sigmoid(self.raw_t)
        return self.log_q.exp() * bp / (1 + bp ** t) ** (1 / t)


def measure(gases, p, rng, noise=0.01):
    q = rng.uniform(1, 4, (gases, 1))
    b = rng.uniform(0.5, 3, (gases, 1))
    t = rng.uniform(0.4, 0.9, (gases, 1))
    bp = b * p
    y = q * bp / (1 + bp ** t) ** (1 / t)
    return lambda idx: torch.from_numpy(y[:, idx] + noise * rng.standard_normal((gases, len(idx))))


def fit(model, p, sample, rng, rounds=80):
    opt = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, history_size=6,
                            line_search_fn='strong_wolfe')
    evaluations = 0
    first = last = None
    for r in range(rounds):
        n = min(len(p), 10 + 2 * r)
        idx = np.sort(rng.choice(len(p), n, replace=False))
        pressure, loading = torch.from_numpy(p[idx]), sample(idx)

        def closure():
            nonlocal evaluations
            evaluations += 1
            opt.zero_grad()
            res = model(pressure) - loading
            loss = res.square().mean() + 1e-4 * sum(w.square().sum() for w in model.parameters())
            loss.backward()
            return loss

        loss = opt.step(closure)
        last = loss.item()
        first = last if first is None else first
        if r % 20 == 0:
            print('round %2d  points %3d  loss %.6f  evaluations %d' % (r, n, last, evaluations))
    return first, last


if __name__ == '__main__':
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    pressures = np.geomspace(0.01, 20, 150)
    first, last = fit(Toth(5), pressures, measure(5, pressures, rng), rng)
    print('from %.4f to %.6f' % (first, last))
