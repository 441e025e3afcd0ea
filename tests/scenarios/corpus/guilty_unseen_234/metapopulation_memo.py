# gradwatch-corpus: kind=graph-held
# holder: self._kernels | landscape._kernels | fit.landscape._kernels | land._kernels
# first-bad: 1
"""Incidence-function metapopulation of a fritillary butterfly.

Connectivity matrices are memoised because colonisation and rescue effect both
ask for the one belonging to the present dispersal distance.
"""
import torch

N_PATCH = 30
YEARS = 12


class Landscape:
    def __init__(self, seed):
        g = torch.Generator().manual_seed(seed)
        self.xy = 10.0 * torch.rand(N_PATCH, 2, generator=g)
        self.area = 0.2 + 2.0 * torch.rand(N_PATCH, generator=g)
        self.distance = torch.cdist(self.xy, self.xy)
        self.offdiag = 1.0 - torch.eye(N_PATCH)
        self._kernels = {}
        self.hits = 0

    def kernel(self, log_alpha):
        key = round(log_alpha.item(), 9)
        if key in self._kernels:
            self.hits += 1
            return self._kernels[key]
        k = torch.exp(-torch.exp(log_alpha) * self.distance) * self.offdiag
        self._kernels[key] = k  # <- culprit
        return k

    def connectivity(self, log_alpha, occupied):
        return occupied @ (self.kernel(log_alpha) * self.area)


def colonisation(theta, land, occupied):
    s = land.connectivity(theta["log_alpha"], occupied)
    y = torch.exp(theta["log_y"])
    return s ** 2 / (s ** 2 + y ** 2)


def extinction(theta, land, occupied):
    base = torch.sigmoid(theta["e0"] - theta["e1"] * torch.log(land.area))
    rescue = torch.exp(-0.2 * land.connectivity(theta["log_alpha"], occupied))
    return base * rescue


def simulate_survey(land, seed):
    g = torch.Generator().manual_seed(seed)
    truth = {
        "log_alpha": torch.tensor(-0.2),
        "log_y": torch.tensor(0.8),
        "e0": torch.tensor(-0.5),
        "e1": torch.tensor(0.8),
    }
    z = (torch.rand(N_PATCH, generator=g) < 0.5).float()
    rows = [z]
    for _ in range(YEARS):
        c = colonisation(truth, land, z[None])[0]
        e = extinction(truth, land, z[None])[0]
        p = z * (1.0 - e) + (1.0 - z) * c
        z = (torch.rand(N_PATCH, generator=g) < p).float()
        rows.append(z)
    land._kernels.clear()
    return torch.stack(rows)


class OccupancyFit:
    def __init__(self, landscape, survey):
        self.landscape = landscape
        self.before = survey[:-1]
        self.after = survey[1:]
        names = {"log_alpha": 0.5, "log_y": 0.0, "e0": 0.0, "e1": 0.2}
        self.theta = {k: torch.tensor(v, requires_grad=True) for k, v in names.items()}
        self.opt = torch.optim.Adam(self.theta.values(), lr=0.03)
        self.loglik = []

    def objective(self):
        c = colonisation(self.theta, self.landscape, self.before)
        e = extinction(self.theta, self.landscape, self.before)
        p = self.before * (1.0 - e) + (1.0 - self.before) * c
        p = p.clamp(1e-5, 1.0 - 1e-5)
        ll = self.after * torch.log(p) + (1.0 - self.after) * torch.log1p(-p)
        prior = sum((v ** 2) for v in self.theta.values())
        return -ll.mean() + 1e-3 * prior, ll

    def run(self, n_iter):
        for it in range(n_iter):
            loss, ll = self.objective()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.loglik.append(ll.sum().item())
        return {k: round(v.item(), 3) for k, v in self.theta.items()}


if __name__ == "__main__":
    land = Landscape(3)
    fit = OccupancyFit(land, simulate_survey(land, 8))
    estimate = fit.run(150)
    print(estimate)
    print("log-likelihood", round(fit.loglik[0], 2), round(fit.loglik[-1], 2))
    print("kernel reuse", land.hits)
