# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F


class SAMLookahead(torch.optim.Optimizer):
    def __init__(self, params, lr, rho=0.05, sync=6, alpha=0.5):
        super().__init__(params, dict(lr=lr, rho=rho))
        self.sync, self.alpha = sync, alpha
        self.rounds = 0
        self.tape = []

    def _params(self):
        return [p for g in self.param_groups for p in g["params"] if p.grad is not None]

    def step(self, closure):
        with torch.enable_grad():
            first = closure()
        group = self.param_groups[0]
        with torch.no_grad():
            ps = self._params()
            norm = torch.stack([p.grad.norm() for p in ps]).norm()
            shifts = [group["rho"] * p.grad / (norm + 1e-9) for p in ps]
            torch._foreach_add_(ps, shifts)
        with torch.enable_grad():
            second = closure()
        with torch.no_grad():
            torch._foreach_sub_(ps, shifts)
            for p in ps:
                self.state[p].setdefault("slow", p.clone())
                p.add_(p.grad, alpha=-group["lr"])
        self.tape.append((first, second))
        self.rounds += 1
        if self.rounds % self.sync == 0:
            self.merge()
        return first

    @torch.no_grad()
    def merge(self):
        for p, slot in self.state.items():
            slot["slow"].lerp_(p, self.alpha)
            p.copy_(slot["slow"])

    def sharpness(self):
        gap = [b.item() - a.item() for a, b in self.tape]
        self.tape = []
        return sum(gap) / len(gap)


def cores(n, gen):
    depth = torch.rand(n, 1, generator=gen)
    spectrum = torch.randn(n, 11, generator=gen) * 0.3 + depth
    carbon = 2 * torch.exp(-2 * depth) + 0.1 * spectrum[:, :1]
    return torch.cat([depth, spectrum], 1), carbon


def main():
    torch.manual_seed(200)
    gen = torch.Generator().manual_seed(201)
    model = nn.Sequential(nn.Linear(12, 40), nn.SiLU(), nn.Linear(40, 1))
    opt = SAMLookahead(model.parameters(), lr=0.05)
    for step in range(1, 451):
        x, y = cores(32, gen)

        def closure():
            opt.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            return loss

        loss = opt.step(closure)
        if step % 25 == 0:
            gap = opt.sharpness()
            if step % 75 == 0:
                print(step, f"{loss.item():.5f} sharpness {gap:+.6f}")


if __name__ == "__main__":
    main()
