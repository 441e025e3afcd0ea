# gradwatch-corpus: kind=none
"""Dating a dig layer by layer: variational ages whose neighbours must keep stratigraphic order.

Layers enter the model as the trench gets deeper; the posterior of the last few draws is kept to
form the control variate, and a mean teacher smooths the calibration.
"""
import copy
from collections import OrderedDict, deque
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass(frozen=True)
class Dig:
    layers: int = 12
    finds: int = 5
    steps: int = 240
    open_every: int = 18
    draws: int = 8
    window: int = 4
    micro: int = 2
    seed: int = 11


class LayerAge(nn.Module):
    def __init__(self, guess):
        super().__init__()
        self.mu = nn.Parameter(torch.tensor(float(guess)))
        self.rho = nn.Parameter(torch.tensor(-2.0))

    def draw(self, n):
        return self.mu + F.softplus(self.rho) * torch.randn(n)


class Calibration(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 1))

    def forward(self, age):
        return age + 0.1 * self.f(age.unsqueeze(-1)).squeeze(-1)


class Trench(nn.Module):
    def __init__(self, dig):
        super().__init__()
        self.dig = dig
        self.ages = nn.ModuleList()
        self.curve = Calibration()
        self.teacher = copy.deepcopy(self.curve).requires_grad_(False)

    def open_layer(self):
        guess = self.ages[-1].mu.item() + 0.3 if len(self.ages) else 0.0
        self.ages.append(LayerAge(guess))
        return self.ages[-1]

    def evidence(self, finds):
        z = torch.stack([a.draw(self.dig.draws) for a in self.ages])
        fit = (self.curve(z).unsqueeze(-1) - finds[: len(self.ages), None]).square().mean()
        order = F.relu(z[:-1] - z[1:] + 0.05).mean() if len(self.ages) > 1 else 0.0
        entropy = sum(F.softplus(a.rho).log() for a in self.ages) / len(self.ages)
        steady = F.mse_loss(self.curve(z.detach()), self.teacher(z.detach()))
        return 4 * fit + order + steady - 0.01 * entropy, z

    @torch.no_grad()
    def follow(self, rate=0.05):
        for slow, fast in zip(self.teacher.parameters(), self.curve.parameters()):
            slow.add_(fast - slow, alpha=rate)


class Recent:
    """Last draws by step; older ones fall out."""

    def __init__(self, size):
        self.size = size
        self.by_step = OrderedDict()

    def put(self, step, z):
        self.by_step[step] = z
        while len(self.by_step) > self.size:
            self.by_step.popitem(last=False)

    def centre(self, n):
        rows = [z[:n].detach().mean(1) for z in self.by_step.values() if z.shape[0] >= n]
        return torch.stack(rows).mean(0) if rows else None


def excavate(dig):
    torch.manual_seed(dig.seed)
    true = torch.cumsum(0.1 + 0.4 * torch.rand(dig.layers), 0)
    finds = true[:, None] + 0.1 * torch.randn(dig.layers, dig.finds)
    trench = Trench(dig)
    opt = torch.optim.Adam(trench.curve.parameters(), lr=0.01)
    recent, worst = Recent(dig.window), deque(maxlen=10)
    ledger = {}
    for step in range(dig.steps):
        if step % dig.open_every == 0 and len(trench.ages) < dig.layers:
            opt.add_param_group({"params": list(trench.open_layer().parameters()), "lr": 0.03})
        opt.zero_grad()
        total = torch.zeros(())
        for _ in range(dig.micro):
            loss, z = trench.evidence(finds)
            anchor = recent.centre(len(trench.ages))
            if anchor is not None:
                loss = loss + 0.05 * (z.mean(1) - anchor).square().mean()
            (loss / dig.micro).backward()
            total += loss.detach() / dig.micro
        opt.step()
        trench.follow()
        recent.put(step, z)
        worst.append((z.std(1).argmax().item(), total))
        ledger.setdefault(len(trench.ages), []).append(total)
        if step % 60 == 0:
            print(f"step {step:3d} layers {len(trench.ages):2d} loss {total.item():.4f}")
    for k, v in ledger.items():
        print(f"{k:2d} layers: {torch.stack(v).mean().item():.4f}")
    print("true", [round(t, 2) for t in true.tolist()])
    print("est ", [round(a.mu.item(), 2) for a in trench.ages])


if __name__ == "__main__":
    excavate(Dig())
