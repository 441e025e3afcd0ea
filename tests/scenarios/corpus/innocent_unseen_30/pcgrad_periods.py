# gradwatch-corpus: kind=none
"""Multi-task trunk with gradient surgery; an adversary and a temperature are trained with periods of their own."""
import itertools
import torch
from torch import nn
import torch.nn.functional as F

SETUP = {
    "steps": 240,
    "adversary_every": 3,
    "temperature_every": 8,
    "eval_every": 60,
    "batch": 48,
}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 20), nn.ReLU())
        self.age = nn.Linear(20, 1)
        self.disease = nn.Linear(20, 3)
        self.adversary = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 2))
        self.log_temp = nn.Parameter(torch.zeros(()))


class Surgeon:
    """Project conflicting task gradients of the shared weights (PCGrad)."""

    def __init__(self, shared):
        self.shared = list(shared)
        self.conflicts = 0

    def flat(self, loss):
        grads = torch.autograd.grad(loss, self.shared, retain_graph=True)
        return torch.cat([g.flatten() for g in grads])

    def combine(self, losses):
        raw = [self.flat(l) for l in losses]
        out = [g.clone() for g in raw]
        for i, j in itertools.permutations(range(len(raw)), 2):
            dot = out[i] @ raw[j]
            if dot < 0:
                self.conflicts += 1
                out[i] -= dot / raw[j].pow(2).sum() * raw[j]
        return sum(out)

    def write(self, flat):
        at = 0
        for p in self.shared:
            p.grad = flat[at:at + p.numel()].view_as(p).clone()
            at += p.numel()


def patients(n, gen):
    x = torch.randn(n, 12, generator=gen)
    site = (x[:, 0] + 0.3 * torch.randn(n, generator=gen) > 0).long()
    age = x[:, 1] - 0.5 * x[:, 2] + 0.4 * site
    disease = (x[:, 3:6] + 0.5 * x[:, 6:9]).argmax(1)
    return x, age, disease, site


class Program:
    def __init__(self, setup):
        self.s = setup
        self.net = Net()
        heads = [*self.net.age.parameters(), *self.net.disease.parameters()]
        self.opt_main = torch.optim.Adam([*self.net.trunk.parameters(), *heads], lr=2e-3)
        self.opt_adv = torch.optim.Adam(self.net.adversary.parameters(), lr=3e-3)
        self.opt_temp = torch.optim.SGD([self.net.log_temp], lr=0.05)
        self.surgeon = Surgeon(self.net.trunk.parameters())
        self.gen = torch.Generator().manual_seed(1)

    def main_step(self, x, age, disease, site):
        h = self.net.trunk(x)
        l_age = F.smooth_l1_loss(self.net.age(h).squeeze(1), age)
        l_dis = F.cross_entropy(self.net.disease(h), disease)
        self.net.adversary.requires_grad_(False)
        l_fair = -0.1 * F.cross_entropy(self.net.adversary(h), site)
        shared = self.surgeon.combine([l_age, l_dis, l_fair])
        self.opt_main.zero_grad()
        (l_age + l_dis).backward()
        self.surgeon.write(shared)
        self.opt_main.step()
        self.net.adversary.requires_grad_(True)
        return l_age.item(), l_dis.item()

    def adversary_step(self, x, site):
        with torch.no_grad():
            h = self.net.trunk(x)
        self.opt_adv.zero_grad()
        F.cross_entropy(self.net.adversary(h), site).backward()
        self.opt_adv.step()

    def temperature_step(self):
        x, _, disease, _ = patients(64, self.gen)
        with torch.no_grad():
            logits = self.net.disease(self.net.trunk(x))
        self.opt_temp.zero_grad()
        F.cross_entropy(logits / self.net.log_temp.exp(), disease).backward()
        self.opt_temp.step()

    def run(self):
        for t in range(1, self.s["steps"] + 1):
            x, age, disease, site = patients(self.s["batch"], self.gen)
            parts = self.main_step(x, age, disease, site)
            if t % self.s["adversary_every"] == 0:
                self.adversary_step(x, site)
            if t % self.s["temperature_every"] == 0:
                self.temperature_step()
            if t % self.s["eval_every"] == 0:
                with torch.no_grad():
                    x, _, disease, _ = patients(300, self.gen)
                    acc = (self.net.disease(self.net.trunk(x)).argmax(1) == disease).float().mean()
                print(t, [round(p, 4) for p in parts], f"acc {acc.item():.3f}",
                      f"T {self.net.log_temp.exp().item():.3f} conflicts {self.surgeon.conflicts}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Program(SETUP).run()
