# gradwatch-corpus: kind=graph-chain
# holder: coef | coef[0] | run.coef
# first-bad: 1
"""Online tuning of per-block step sizes for a spline fit: after each inner step, the step sizes
move along the gradient of the validation error with respect to them."""
import torch

torch.manual_seed(61)
KNOTS = 24
grid = torch.linspace(0, 1, KNOTS)


def hats(x):
    return (1 - (x[:, None] - grid[None]).abs() * (KNOTS - 1)).clamp(min=0)


def curve(x):
    return torch.sin(9 * x) * torch.exp(-x)


def draw(n):
    x = torch.rand(n)
    return hats(x), curve(x) + 0.05 * torch.randn(n)


class Rates:
    def __init__(self, blocks, start=0.3):
        self.log = torch.full((blocks,), float(start)).log().requires_grad_()

    def values(self):
        return self.log.exp()

    def nudge(self, amount=0.02):
        g = self.log.grad
        self.log = (self.log.detach() - amount * g.sign()).requires_grad_()


def main():
    rates = Rates(blocks=2)
    coef = [torch.zeros(KNOTS // 2, requires_grad=True), torch.zeros(KNOTS // 2, requires_grad=True)]
    hv, tv = draw(128)
    for i in range(180):
        h, t = draw(32)
        fit = (h @ torch.cat(coef) - t).square().mean()
        slopes = torch.autograd.grad(fit, coef, create_graph=True)
        eta = rates.values()
        coef = [c - eta[b] * s for b, (c, s) in enumerate(zip(coef, slopes))]  # <- culprit
        val = (hv @ torch.cat(coef) - tv).square().mean()
        val.backward(inputs=[rates.log], retain_graph=True)  # <- culprit
        rates.nudge()
        if i % 45 == 0:
            print(f"{i:3d} fit {fit.item():.4f} val {val.item():.4f} rates {[round(v, 3) for v in eta.tolist()]}")


main()
