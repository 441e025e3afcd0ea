import torch
import torch.nn.functional as F


class Spoiled(Exception):
    def __init__(self, round_, share, evidence):
        super().__init__(f"round {round_}: {share:.0%} corked")
        self.round = round_
        self.evidence = evidence


class Tuner:
    """Inner: a few differentiable steps on one flight. Outer: shrinkage strengths by the next flight."""

    def __init__(self, cellar, terms, inner, lr=0.5):
        self.cellar, self.terms, self.inner, self.lr = cellar, terms, inner, lr
        d = cellar.x.shape[1]
        self.theta = {"palate": torch.zeros(cellar.tasters, d), "aroma": 0.1 * torch.randn(d, d)}
        self.log_strength = torch.full((len(terms),), -3.0, requires_grad=True)
        self.opt = torch.optim.Adam([self.log_strength], lr=0.03)
        self.trace = [float("nan")]

    def surprise(self, theta, flight):
        t, dx, y, _ = flight
        mixed = dx @ torch.softmax(theta["aroma"], dim=-1)
        return F.binary_cross_entropy_with_logits(((dx + mixed) * theta["palate"][t]).sum(1), y)

    def check(self, r, loss, flight):
        share = flight[3].float().mean().item()
        if share > 0.25:
            raise Spoiled(r, share, loss.detach())

    def adapt(self, flight):
        theta = {k: v.clone().requires_grad_() for k, v in self.theta.items()}
        for _ in range(self.inner):
            strength = self.log_strength.exp()
            obj = self.surprise(theta, flight) + sum(s * t(theta) for s, t in zip(strength, self.terms))
            grads = torch.autograd.grad(obj, list(theta.values()), create_graph=True)
            theta = {k: v - self.lr * g for (k, v), g in zip(theta.items(), grads)}
        return theta

    def round(self, r):
        today, tomorrow = self.cellar.flight(48), self.cellar.flight(48)
        theta = self.adapt(today)
        outer = self.surprise(theta, tomorrow)
        self.opt.zero_grad()
        outer.backward()
        self.check(r, outer, today)
        self.opt.step()
        self.theta = {k: v.detach() for k, v in theta.items()}
        self.trace.append(outer.item())

    def strengths(self):
        return {type(t).__name__: (round(s, 4), round(t.last.item(), 3))
                for t, s in zip(self.terms, self.log_strength.detach().exp().tolist())}

    @torch.no_grad()
    def agreement(self):
        t, dx, y, _ = self.cellar.flight(2000)
        mixed = dx @ torch.softmax(self.theta["aroma"], dim=-1)
        return (((((dx + mixed) * self.theta["palate"][t]).sum(1)) > 0).float() == y).float().mean().item()
