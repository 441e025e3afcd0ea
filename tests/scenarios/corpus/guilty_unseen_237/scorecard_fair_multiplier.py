# gradwatch-corpus: kind=graph-chain
# holder: constraint.lam | self.lam
# first-bad: 1
# Retail credit scorecard with a demographic-parity constraint (dual ascent on the multiplier).
import numpy as np
import torch
import torch.nn.functional as F

torch.manual_seed(5)
np.random.seed(5)

N_APPLICANTS = 4000
N_BINS = 30
BATCH = 256
STEPS = 110
TOLERANCE = 0.03


def load_applications():
    raw = np.random.randn(N_APPLICANTS, N_BINS).astype("float32")
    group = (np.random.rand(N_APPLICANTS) < 0.35).astype("float32")
    raw[:, 0] += 0.8 * group
    raw[:, 3] -= 0.5 * group
    w_true = np.random.randn(N_BINS).astype("float32") * 0.5
    p = 1 / (1 + np.exp(-(raw @ w_true)))
    repaid = (np.random.rand(N_APPLICANTS) < p).astype("float32")
    return {
        "x": torch.from_numpy(raw),
        "group": torch.from_numpy(group),
        "repaid": torch.from_numpy(repaid),
    }


class Scorecard(torch.nn.Module):
    def __init__(self, n_bins):
        super().__init__()
        self.points = torch.nn.Linear(n_bins, 1)

    def forward(self, x):
        return self.points(x)[:, 0]


class ParityConstraint:
    """Augmented Lagrangian for  P(approve | A=1) == P(approve | A=0)."""

    def __init__(self, tolerance, eta=0.5, rho=1.0):
        self.tolerance = tolerance
        self.eta = eta
        self.rho = rho
        self.lam = torch.zeros(())

    def violation(self, prob, group):
        inside = (prob * group).sum() / group.sum().clamp(min=1)
        outside = (prob * (1 - group)).sum() / (1 - group).sum().clamp(min=1)
        return (inside - outside).abs() - self.tolerance

    def penalty(self, violation):
        return self.lam * violation + 0.5 * self.rho * F.relu(violation) ** 2

    def ascend(self, violation):
        self.lam = torch.clamp(self.lam + self.eta * violation, min=0.0)  # <- culprit


def sample(frame, n):
    idx = torch.randint(0, len(frame["x"]), (n,))
    return {k: v[idx] for k, v in frame.items()}


frame = load_applications()
scorecard = Scorecard(N_BINS)
constraint = ParityConstraint(TOLERANCE)
optimizer = torch.optim.Adam(scorecard.parameters(), lr=0.02)
report = {"step": [], "bce": [], "gap": [], "lambda": []}

for step in range(STEPS):
    batch = sample(frame, BATCH)
    logit = scorecard(batch["x"])
    bce = F.binary_cross_entropy_with_logits(logit, batch["repaid"])
    gap = constraint.violation(torch.sigmoid(logit), batch["group"])
    loss = bce + constraint.penalty(gap)

    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
    constraint.ascend(gap)  # <- culprit

    report["step"].append(step)
    report["bce"].append(float(bce))
    report["gap"].append(float(gap) + TOLERANCE)
    report["lambda"].append(float(constraint.lam))
    if step % 20 == 0:
        print(f"{step:4d} | bce {report['bce'][-1]:.3f} | gap {report['gap'][-1]:.3f} | lambda {report['lambda'][-1]:.3f}")

print(f"final parity gap (avg last 20): {np.mean(report['gap'][-20:]):.4f}")
