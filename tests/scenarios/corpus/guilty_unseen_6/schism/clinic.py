import copy

import torch
import torch.nn.functional as F


class Walkout(RuntimeError):
    """Raised by a clinic whose weights have moved too far from the common ones."""

    def __init__(self, who, after, distance):
        super().__init__(f"clinic {who} left after {after} visits ({distance:.2f})")
        self.who, self.after = who, after


class Clinic:
    reach, visits = 0.75, 5

    def __init__(self, who, seed, tilt):
        self.who = who
        self.rng = torch.Generator().manual_seed(seed)
        self.weights = torch.randn(10, 2, generator=torch.Generator().manual_seed(0))
        self.weights = self.weights + tilt * torch.randn(10, 2, generator=self.rng)

    def patients(self, n=32):
        x = torch.randn(n, 10, generator=self.rng)
        return x, (x @ self.weights + 0.2 * torch.randn(n, 2, generator=self.rng)).argmax(-1)

    def treat(self, common):
        local = copy.deepcopy(common)
        anchor = [w.detach().clone() for w in local.parameters()]
        opt = torch.optim.SGD(local.parameters(), lr=0.1 + 0.03 * self.who, momentum=0.8)
        for visit in range(self.visits):
            x, y = self.patients()
            ill = F.cross_entropy(local(x), y)
            pull = sum((w - a).square().sum() for w, a in zip(local.parameters(), anchor))
            opt.zero_grad()
            (ill + 0.05 * pull).backward()
            opt.step()
            with torch.no_grad():
                far = sum((w - a).square().sum() for w, a in zip(local.parameters(), anchor)).sqrt().item()
            if far > self.reach:
                raise Walkout(self.who, visit + 1, far)
        return {k: v.detach() for k, v in local.state_dict().items()}, ill.item()
