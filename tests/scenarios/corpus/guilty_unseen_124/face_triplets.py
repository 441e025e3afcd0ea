# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(73)


class Embedder(nn.Module):
    def __init__(self, pixels=36, dim=8):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(pixels, 32), nn.PReLU(), nn.Linear(32, dim))

    def forward(self, x):
        return F.normalize(self.f(x), dim=-1)


class Gallery:
    """People with an average look each; pictures vary around it."""

    def __init__(self, people=12, pixels=36):
        self.look = torch.randn(people, pixels)

    def pictures(self, who):
        return self.look[who] + 0.7 * torch.randn(len(who), self.look.shape[1])

    def triplets(self, n=20):
        a = torch.randint(0, len(self.look), (n,))
        b = (a + torch.randint(1, len(self.look), (n,))) % len(self.look)
        return self.pictures(a), self.pictures(a), self.pictures(b)


class Matcher:
    def __init__(self, net, margin=0.3):
        self.net, self.margin = net, margin

    @torch.no_grad()  # <- culprit
    def embed_all(self, groups):
        sizes = [len(g) for g in groups]
        return self.net(torch.cat(groups)).split(sizes)

    def loss(self, groups):
        a, p, n = self.embed_all(groups)
        return F.relu((a - p).pow(2).sum(1) - (a - n).pow(2).sum(1) + self.margin).mean()

    def verify(self, x, y, threshold=0.8):
        a, b = self.embed_all((x, y))
        return (a - b).norm(dim=1) < threshold


gallery, matcher = Gallery(), Matcher(Embedder())
opt = torch.optim.Adam(matcher.net.parameters(), lr=1e-3)
for it in range(300):
    groups = gallery.triplets()
    loss = matcher.loss(groups)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 100 == 0:
        print(it, loss.item(), matcher.verify(groups[0], groups[1]).float().mean().item())
