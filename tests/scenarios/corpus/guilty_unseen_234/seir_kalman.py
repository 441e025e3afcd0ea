# gradwatch-corpus: kind=second-backward
# holder: self.belief["cov"] | tracker.belief["cov"] | tracker.belief
# first-bad: 4
"""Extended Kalman filter for weekly prevalence with learnt noise levels.

Reports arrive in batches; process and reporting noise are refitted online by
the innovation likelihood of a batch.
"""
import math

import torch

TRUE_BETA = 0.9
GAMMA = 0.5
POP = 1.0


def outbreak(weeks, seed):
    g = torch.Generator().manual_seed(seed)
    s = 0.97
    i = 0.01
    reports = []
    for w in range(weeks):
        season = 1.0 + 0.3 * math.sin(2 * math.pi * w / 26)
        new = min(TRUE_BETA * season * s * i, s)
        s = s - new + 0.02 * (1 - s)
        i = max(i + new - GAMMA * i, 1e-4)
        reports.append(i + 0.004 * torch.randn(1, generator=g).item())
    return torch.tensor(reports)


class PrevalenceTracker:
    def __init__(self):
        self.log_q = torch.tensor(-8.0, requires_grad=True)
        self.log_r = torch.tensor(-9.0, requires_grad=True)
        self.log_beta = torch.tensor(math.log(0.7), requires_grad=True)
        self.belief = {"mean": torch.tensor([0.97, 0.01]), "cov": 1e-3 * torch.eye(2)}
        self.warmup = 3

    def params(self):
        return [self.log_q, self.log_r, self.log_beta]

    def transition(self, m, beta):
        new = beta * m[0] * m[1]
        s = m[0] - new + 0.02 * (1.0 - m[0])
        i = m[1] + new - GAMMA * m[1]
        row_s = torch.stack([0.98 - beta * m[1], -beta * m[0]])
        row_i = torch.stack([beta * m[1], 1.0 + beta * m[0] - GAMMA])
        return torch.stack([s, i]), torch.stack([row_s, row_i])

    def filter(self, reports):
        beta = self.log_beta.exp()
        q = self.log_q.exp() * torch.eye(2)
        r = self.log_r.exp()
        m = self.belief["mean"]
        cov = self.belief["cov"]  # <- culprit
        nll = 0.0
        for y in reports:
            m, jac = self.transition(m, beta)
            cov = jac @ cov @ jac.T + q
            innovation = y - m[1]
            s = cov[1, 1] + r
            gain = cov[:, 1] / s
            m = m + gain * innovation
            cov = cov - torch.outer(gain, cov[1])
            nll = nll + 0.5 * (innovation ** 2 / s + torch.log(s))
        return nll / len(reports), m, cov

    def absorb(self, batch, mean, cov):
        self.belief["mean"] = mean.detach().clamp(1e-4, POP)
        if batch < self.warmup:
            self.belief["cov"] = 1e-3 * torch.eye(2)
        else:
            self.belief["cov"] = 0.5 * (cov + cov.T)  # <- culprit


def main():
    torch.manual_seed(4)
    reports = outbreak(weeks=480, seed=12)
    tracker = PrevalenceTracker()
    opt = torch.optim.Adam(tracker.params(), lr=0.03)
    history = {"nll": [], "beta": []}
    for batch, chunk in enumerate(reports.split(6)):
        nll, mean, cov = tracker.filter(chunk)
        opt.zero_grad()
        nll.backward()
        opt.step()
        tracker.absorb(batch, mean, cov)
        history["nll"].append(nll.item())
        history["beta"].append(tracker.log_beta.exp().item())
        print(f"batch {batch:2d} nll {history['nll'][-1]:.3f} beta {history['beta'][-1]:.3f}")


if __name__ == "__main__":
    main()
