# gradwatch-corpus: kind=graph-chain
# holder: self.stat | self.center.stat | projector.center.stat | center.stat | learner.projector.center.stat
# first-bad: 1
# notice: 5
"""Two-view representation learning over frozen features; one projector, two losses on its output."""
import torch
import torch.nn.functional as F

from encoder import Projector, spread


class TwoViews:
    """Frozen backbone features of two augmented views."""

    def __init__(self, n=40, seed=41):
        self.gen = torch.Generator().manual_seed(seed)
        self.n = n
        self.backbone = torch.randn(10, 64, generator=self.gen) / 3

    def draw(self):
        latent = torch.randn(self.n, 10, generator=self.gen)
        views = []
        for _ in range(2):
            jitter = latent + 0.2 * torch.randn(self.n, 10, generator=self.gen)
            views.append(torch.relu(jitter @ self.backbone))
        return torch.cat(views)


class Learner:
    def __init__(self):
        self.projector = Projector()
        self.opt = torch.optim.SGD(self.projector.parameters(), lr=0.05, momentum=0.9)

    def step(self, views):
        z = self.projector(views)
        a, b = z.chunk(2)
        match = F.mse_loss(a, b)
        apart = spread(z)
        self.opt.zero_grad()
        # the two terms share z; each is walked on its own so that their gradients can be weighed
        match.backward(retain_graph=True)
        for p in self.projector.parameters():
            p.grad.mul_(5.0)
        apart.backward(retain_graph=True)
        self.opt.step()
        return match.item(), apart.item()


def main():
    torch.manual_seed(40)
    torch.set_num_threads(1)
    views = TwoViews()
    learner = Learner()
    for it in range(70):
        match, apart = learner.step(views.draw())
        if it % 10 == 0:
            print(f"{it:3d} match {match:.4f} apart {apart:.4f}")


if __name__ == "__main__":
    main()
