# gradwatch-corpus: kind=graph-chain
# holder: centre | centre[name] | moving_centre.centre | self.centres | pull.centres
"""Classifier pulled softly towards the running mean of its own weights."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(19)


def moving_centre(net, warm=3):
    """Yields the mean of the weights so far, as name -> tensor."""
    centre = {name: p.detach().clone() for name, p in net.named_parameters()}
    count = 1
    while True:
        yield centre
        count += 1
        share = 1.0 / min(count, 50) if count > warm else 1.0
        centre = {name: torch.lerp(centre[name], p, share)  # <- culprit
                  for name, p in net.named_parameters()}


class ElasticPull:
    def __init__(self, net, strength):
        self.net = net
        self.strength = strength
        self.centres = moving_centre(net)

    def __call__(self):
        centre = next(self.centres)  # <- culprit
        gap = [(p - centre[name]).pow(2).sum()  # <- culprit
               for name, p in self.net.named_parameters() if name.endswith("weight")]
        return self.strength * torch.stack(gap).sum()


class Spiral:
    def __init__(self, arms=3, seed=0):
        self.arms = arms
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self, batch=64):
        y = torch.randint(0, self.arms, (batch,), generator=self.gen)
        r = torch.rand(batch, generator=self.gen)
        angle = 4 * r + y * (2 * torch.pi / self.arms)
        x = torch.stack([r * angle.cos(), r * angle.sin()], 1)
        return x + 0.03 * torch.randn(batch, 2, generator=self.gen), y


def build():
    return nn.Sequential(nn.Linear(2, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 3))


@torch.no_grad()
def accuracy(net, data):
    x, y = data.draw(256)
    return (net(x).argmax(1) == y).float().mean().item()


def main(steps=120):
    data = Spiral()
    net = build()
    pull = ElasticPull(net, strength=0.05)
    opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.8)
    for step in range(steps):
        x, y = data.draw()
        fit = nn.functional.cross_entropy(net(x), y)
        loss = fit + pull()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step} fit {fit.item():.3f} pull {loss.item() - fit.item():.4f} "
                  f"accuracy {accuracy(net, data):.2f}")


if __name__ == "__main__":
    main()
