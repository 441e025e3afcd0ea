# gradwatch-corpus: kind=graph-held
# holder: ReversalLog.contexts | cls.contexts | contexts
# first-bad: 1
"""Domain-adversarial training with a gradient reversal layer and reversal statistics."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class ReversalLog:
    """Gradient norms seen by the reversal layer, read out once per report."""

    contexts = []

    @classmethod
    def register(cls, ctx):
        cls.contexts.append(ctx)  # <- culprit

    @classmethod
    def mean_norm(cls, last):
        norms = [c.grad_norm for c in cls.contexts[-last:]]
        return sum(norms) / max(len(norms), 1)


class ReverseGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, feats, strength):
        ctx.strength = strength
        ctx.feats = feats
        ctx.grad_norm = 0.0
        ReversalLog.register(ctx)  # <- culprit
        return feats.view_as(feats)

    @staticmethod
    def backward(ctx, grad):
        scale = ctx.feats.detach().norm(dim=1, keepdim=True).clamp(min=1.0)
        ctx.grad_norm = grad.norm().item()
        return -ctx.strength * grad / scale, None


class DANN(nn.Module):
    def __init__(self, d_in=6, d_feat=32, classes=3):
        super().__init__()
        self.features = nn.Sequential(
            nn.Linear(d_in, 64), nn.ReLU(), nn.Linear(64, d_feat), nn.ReLU())
        self.label_head = nn.Linear(d_feat, classes)
        self.domain_head = nn.Sequential(nn.Linear(d_feat, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, x, strength):
        f = self.features(x)
        return self.label_head(f), self.domain_head(ReverseGrad.apply(f, strength)).squeeze(1)


class Domains:
    def __init__(self, classes=3, dim=6):
        self.centres = 2.0 * torch.randn(classes, dim)
        self.shift = torch.randn(dim)
        self.classes = classes

    def draw(self, n, target=False):
        y = torch.randint(0, self.classes, (n,))
        x = self.centres[y] + torch.randn(n, self.centres.size(1))
        return (x + self.shift if target else x), y


def schedule(step, total):
    return 2.0 / (1.0 + math.exp(-10 * step / total)) - 1.0


def main(total=200, batch=32, every=40):
    torch.manual_seed(17)
    domains = Domains()
    model = DANN()
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    for step in range(total):
        xs, ys = domains.draw(batch)
        xt, _ = domains.draw(batch, target=True)
        labels, domain = model(torch.cat([xs, xt]), schedule(step, total))
        is_target = torch.cat([torch.zeros(batch), torch.ones(batch)])
        loss = F.cross_entropy(labels[:batch], ys)
        loss = loss + F.binary_cross_entropy_with_logits(domain, is_target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (step + 1) % every == 0:
            with torch.no_grad():
                xe, ye = domains.draw(256, target=True)
                acc = (model(xe, 0.0)[0].argmax(1) == ye).float().mean().item()
            print(f"{step + 1:4d} loss {loss.item():.3f} target acc {acc:.3f} "
                  f"reversed norm {ReversalLog.mean_norm(every):.4f}")


if __name__ == "__main__":
    main()
