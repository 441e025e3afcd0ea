# gradwatch-corpus: kind=none
# about: Levenberg-Marquardt: torch.autograd.functional.jacobian walks one graph once for each of
# about: thirty residuals; there is no optimizer to tell where an iteration ends
import torch
from parts.pace import ITERATIONS
from torch.autograd.functional import jacobian


class CurveFit:
    """y = a exp(-b t) cos(c t) + d"""

    def __init__(self, n=30):
        self.t = torch.linspace(0, 4, n)
        truth = torch.tensor([2.0, 0.6, 3.0, 0.5])
        self.y = self.model(truth) + 0.02 * torch.randn(n)

    def model(self, p):
        a, b, c, d = p
        return a * torch.exp(-b * self.t) * torch.cos(c * self.t) + d

    def residuals(self, p):
        return self.model(p) - self.y


def levenberg_marquardt(problem, p, steps, damping=1.0):
    cost = problem.residuals(p).pow(2).sum()
    for i in range(steps):
        J = jacobian(problem.residuals, p)
        r = problem.residuals(p)
        A = J.T @ J
        delta = torch.linalg.solve(A + damping * torch.eye(len(p)), J.T @ r)
        new = problem.residuals(p - delta).pow(2).sum()
        if new < cost:
            p, cost, damping = p - delta, new, damping / 3
        else:
            damping *= 2
        damping = min(max(damping, 1e-6), 1e6)
    return p, cost


if __name__ == "__main__":
    torch.manual_seed(0)
    for start in range(max(1, ITERATIONS // 30)):
        problem = CurveFit()
        guess = torch.tensor([1.0, 0.1, 2.5, 0.0]) + 0.2 * torch.randn(4)
        p, cost = levenberg_marquardt(problem, guess, 12)
        print(f"{start}: cost {cost.item():.6f} at {[round(v, 4) for v in p.tolist()]}")
