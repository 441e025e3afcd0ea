# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

from model import VLM

ALPHA = 1.0


class GradNorm:
    """Balances task losses so that their gradients on the shared projection train at similar rates."""

    def __init__(self, n_tasks, shared, lr=0.02):
        self.w = nn.Parameter(torch.ones(n_tasks))
        self.shared = shared
        self.opt = torch.optim.Adam([self.w], lr=lr)
        self.initial = None

    def weighted(self, losses):
        return sum(w * l for w, l in zip(self.w.detach(), losses))

    def update(self, losses):
        values = torch.stack([l.detach() for l in losses])
        if self.initial is None:
            self.initial = values
        norms = []
        for l in losses:
            (g,) = torch.autograd.grad(l, self.shared, retain_graph=True)
            norms.append(g.norm())
        weighted = self.w * torch.stack(norms)
        rate = values / self.initial
        target = weighted.mean().detach() * (rate / rate.mean()) ** ALPHA
        loss = (weighted - target).abs().sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            self.w.clamp_(min=0.05)
            self.w.mul_(len(losses) / self.w.sum())


def make_batch(n, g):
    ids = torch.randint(0, 50, (n, 5), generator=g)
    colour = torch.stack([(ids[:, 0] % 7) / 7, (ids[:, 1] % 5) / 5, (ids[:, 2] % 3) / 3], -1)
    img = colour[:, :, None, None] + 0.1 * torch.randn(n, 3, 16, 16, generator=g)
    return img, ids


def main():
    torch.manual_seed(14)
    g = torch.Generator().manual_seed(15)
    model = VLM()
    balancer = GradNorm(3, model.shared.weight)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    rows = []
    for step in range(80):
        losses = model.losses(*make_batch(16, g))
        balancer.update(losses)
        total = balancer.weighted(losses)
        opt.zero_grad()
        total.backward()
        opt.step()
        rows.append([l.item() for l in losses] + balancer.w.tolist())
        if step % 20 == 0:
            print(step, [round(v, 3) for v in rows[-1]])


if __name__ == "__main__":
    main()
