# gradwatch-corpus: kind=none
"""Length-of-stay model with smooth lab curves, unit effects and micro-batched training."""
import torch
from torch import nn
from torch.nn import functional as F

LABS, BINS, UNITS, MICRO = 14, 20, 9, 4


def make_admissions(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, LABS, generator=g)
    unit = torch.randint(0, UNITS, (n,), generator=g)
    days = torch.exp(0.4 * x[:, 0].abs() + 0.3 * torch.cos(x[:, 1]) + 0.05 * unit
                     + 0.2 * torch.randn(n, generator=g))
    return x, torch.bucketize(x, torch.linspace(-2, 2, BINS - 1)), unit, days


class UnitEffect(nn.Module):
    def __init__(self, n, rate=0.1):
        super().__init__()
        self.offset = nn.Embedding(n, 1)
        self.rate = rate
        self.register_buffer("centre", torch.zeros(()))

    def forward(self, unit):
        if self.training:
            with torch.no_grad():
                self.centre = torch.lerp(self.centre, self.offset.weight.mean(), self.rate)
        return self.offset(unit).squeeze(-1) - self.centre


class StayModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.curves = nn.Parameter(0.02 * torch.randn(LABS, BINS))
        self.unit = UnitEffect(UNITS)
        self.mix = nn.Sequential(nn.Linear(LABS, 40), nn.SiLU(), nn.Linear(40, 2))
        self._penalty = None

    @property
    def penalty(self):
        if self._penalty is None:
            d2 = self.curves[:, 2:] - 2 * self.curves[:, 1:-1] + self.curves[:, :-2]
            self._penalty = d2.square().sum(1).mean() + 0.01 * self.unit.offset.weight.square().sum()
        return self._penalty

    def invalidate(self, *_):
        self._penalty = None

    def forward(self, x, bins, unit):
        additive = self.curves[torch.arange(LABS), bins].sum(1)
        extra, log_scale = self.mix(x).unbind(1)
        return additive + extra + self.unit(unit), log_scale.clamp(-3, 3)


def lognormal_nll(mu, log_scale, days):
    z = (days.log() - mu) * torch.exp(-log_scale)
    return (log_scale + 0.5 * z.square()).mean()


class Fitter:
    def __init__(self, model, lam=0.2):
        self.model, self.lam = model, lam
        self.opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
        self.opt.register_step_post_hook(model.invalidate)

    def update(self, micro_batches):
        self.opt.zero_grad()
        total = 0.0
        for k, (x, bins, unit, days) in enumerate(micro_batches, start=1):
            mu, s = self.model(x, bins, unit)
            loss = (lognormal_nll(mu, s, days) + self.lam * self.model.penalty) / MICRO
            loss.backward(retain_graph=k < MICRO)
            total += loss.item()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return total

    @torch.no_grad()
    def mae(self, data):
        self.model.eval()
        x, bins, unit, days = data
        mu, _ = self.model(x, bins, unit)
        self.model.train()
        return F.l1_loss(mu.exp(), days).item()


def groups(data, size):
    order = torch.randperm(len(data[0])).split(size)
    for start in range(0, len(order) - MICRO + 1, MICRO):
        yield [tuple(t[i] for t in data) for i in order[start:start + MICRO]]


def main():
    torch.manual_seed(14)
    train, valid = make_admissions(64 * MICRO * 30, 0), make_admissions(3000, 1)
    fitter = Fitter(StayModel())
    best, best_state = float("inf"), None
    for epoch in range(7):
        losses = [fitter.update(g) for g in groups(train, 64)]
        mae = fitter.mae(valid)
        if mae < best:
            best, best_state = mae, {k: v.detach().clone() for k, v in fitter.model.state_dict().items()}
        print(f"epoch {epoch} nll {sum(losses) / len(losses):.4f} mae {mae:.3f} days")
    fitter.model.load_state_dict(best_state)
    print(f"best mae {best:.3f}")


if __name__ == "__main__":
    main()
