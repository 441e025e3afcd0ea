# gradwatch-corpus: kind=graph-chain
# holder: coef.cols['value'] | coef.value | coef.value[row] | coef["value"] | coef["value"][row] | frame.value | frame["value"] | frame["value"][row] | self.cols["value"] | new
# first-bad: 1
# notice: 5
"""
Occupancy model for the pond-frog survey (presence / absence, imperfect detection).

I came to torch from R, so I keep the coefficients in a small table, like the
output of summary(glm): one row per coefficient, with value / gradient / velocity.
    psi  = P(site occupied)        ~ depth + forest + area
    p    = P(detected | occupied)  ~ wind + hour
"""
import math
import torch

torch.set_num_threads(1)
torch.manual_seed(20)

N_SITES, N_VISITS = 80, 4


class Table:
    """A very poor man's DataFrame: columns are python lists."""

    def __init__(self, **cols):
        object.__setattr__(self, "cols", cols)

    def __getattr__(self, name):
        return self.cols[name]

    def __getitem__(self, name):
        return self.cols[name]

    def __len__(self):
        return len(self.cols["name"])

    def loc(self, name):
        return self.cols["name"].index(name)

    def show(self):
        print("%-12s %9s %9s" % ("coef", "value", "grad"))
        for nm, v, g in zip(self.name, self.value, self.grad):
            print("%-12s %9.4f %9.4f" % (nm, float(v.mean()), float(g.mean())))


# ------------------------------------------------------------------ the survey
site_x = torch.randn(N_SITES, 3)                      # depth, forest, area
visit_x = torch.randn(N_SITES, N_VISITS, 2)           # wind, hour
z = torch.bernoulli(torch.sigmoid(site_x @ torch.tensor([0.9, -1.2, 0.5]) + 0.3))
p_true = torch.sigmoid(visit_x @ torch.tensor([-0.8, 0.4]) - 0.2)
y = torch.bernoulli(p_true * z[:, None])

names = ["psi.icpt", "psi.beta", "p.icpt", "p.beta"]
start = [torch.zeros(1), torch.zeros(3), torch.zeros(1), torch.zeros(2)]
coef = Table(
    name=names,
    value=[s.requires_grad_() for s in start],
    grad=[torch.zeros_like(s) for s in start],
    velocity=[torch.zeros_like(s) for s in start],
)


def neg_loglik(frame):
    get = lambda nm: frame["value"][frame.loc(nm)]
    psi = torch.sigmoid(site_x @ get("psi.beta") + get("psi.icpt"))
    p = torch.sigmoid(visit_x @ get("p.beta") + get("p.icpt"))
    seen = (y.sum(1) > 0).float()
    lik = psi * (p ** y * (1 - p) ** (1 - y)).prod(1) + (1 - psi) * (1 - seen)
    prior = sum((b ** 2).sum() for b in frame["value"]) * 0.005
    return -(lik + 1e-9).log().mean() + prior


def nesterov_update(frame, lr, mom):
    """Sutskever's form, row by row."""
    for row in range(len(frame)):
        v = frame["value"][row]
        g = v.grad.clone()
        vel = mom * frame["velocity"][row] - lr * g
        new = v + mom * vel - lr * g  # <- culprit
        new.retain_grad()
        frame["grad"][row] = g
        frame["velocity"][row] = vel
        frame["value"][row] = new  # <- culprit


best = math.inf
for it in range(260):
    nll = neg_loglik(coef)
    nll.backward()
    nesterov_update(coef, lr=0.15, mom=0.8)
    best = min(best, nll.item())
    if it % 65 == 0:
        print(f"iter {it:4d}  nll {nll.item():.5f}")

coef.show()
print("best nll", round(best, 5))
