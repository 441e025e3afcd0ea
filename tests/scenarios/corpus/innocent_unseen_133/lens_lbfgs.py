# gradwatch-corpus: kind=none
import torch
from torch.nn.parameter import Parameter

torch.set_num_threads(1)


class Lens(torch.nn.Module):
    def __init__(self, surfaces):
        super().__init__()
        self.curve = Parameter(0.1 * torch.randn(surfaces))
        self.gap = Parameter(torch.ones(surfaces))

    def forward(self, height, angle):
        for c, g in zip(self.curve, self.gap):
            angle = angle - c * torch.tanh(height)
            height = height + g.abs() * angle
        return height


class Bench:
    def __init__(self, lens, focus):
        self.lens, self.focus = lens, focus
        self.opt = torch.optim.LBFGS(lens.parameters(), max_iter=4, history_size=5,
                                     line_search_fn="strong_wolfe")
        self.bundle = self.rays()
        self.calls = 0
        self.spot = None
        self.log = []

    def rays(self, n=12):
        return torch.rand(n) * 2 - 1, 0.02 * torch.randn(n)

    def shot(self):
        height, angle = self.bundle

        def closure():
            self.opt.zero_grad()
            self.spot = self.lens(height, angle)
            blur = (self.spot - self.focus).square().mean() + 1e-3 * self.lens.curve.square().sum()
            blur.backward()
            self.calls += 1
            return blur

        before = self.opt.step(closure)
        self.log.append((before.item(), self.spot.detach().std().item()))


def main():
    torch.manual_seed(33)
    bench = Bench(Lens(3), focus=0.0)
    for _ in range(420):
        bench.shot()
    print(bench.calls, bench.log[0], bench.log[-1])


main()
