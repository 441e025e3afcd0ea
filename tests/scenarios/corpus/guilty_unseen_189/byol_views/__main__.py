# gradwatch-corpus: kind=graph-chain
# holder: self.target | self.target[name] | byol.target
# first-bad: 1
import torch

from .augment import two_views
from .byol import BYOL, encoder


def clusters(n, dim, k, seed):
    g = torch.Generator().manual_seed(seed)
    centres = torch.randn(k, dim, generator=g) * 2
    labels = torch.randint(k, (n,), generator=g)
    return centres[labels] + 0.5 * torch.randn(n, dim, generator=g), labels


@torch.no_grad()
def probe(net, x, y, k):
    z = torch.nn.functional.normalize(net(x), dim=1)
    means = torch.stack([z[y == c].mean(0) for c in range(k)])
    return (z @ means.t()).argmax(1).eq(y).float().mean().item()


def main(iterations=450, batch=48):
    torch.manual_seed(5)
    x, y = clusters(1500, 16, 5, seed=2)
    byol = BYOL(encoder(16, 32, 16), proj_dim=16, momentum=0.98)
    optimizer = torch.optim.Adam(byol.parameters(), lr=1e-3)
    for it in range(iterations):
        idx = torch.randint(len(x), (batch,))
        v1, v2 = two_views(x[idx])
        loss = byol(v1, v2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        byol.update_target()
        if it % 150 == 0:
            print(f"it {it} loss {loss.item():.4f} probe {probe(byol.online, x, y, 5):.3f}")


if __name__ == "__main__":
    main()
