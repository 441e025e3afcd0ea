# gradwatch-corpus: kind=none
"""A small glaze classifier learns from the inner maps of a large one, caught by hooks."""
import torch
import torch.nn.functional as F

from .data import tiles
from .hooks import Catcher
from .models import build

torch.set_num_threads(1)
torch.manual_seed(61)


def hint(student, teacher):
    parts = []
    for name in student.caught:
        s, t = student.caught[name], teacher.caught[name]
        parts.append(F.mse_loss(F.normalize(s.mean(1).flatten(1)), F.normalize(t.mean(1).flatten(1))))
    return sum(parts)


def main():
    big, small = build("big"), build("small")
    warm = torch.optim.Adam(big.parameters(), lr=4e-3)
    for x, y in tiles(30):
        warm.zero_grad()
        F.cross_entropy(big(x), y).backward()
        warm.step()
    big.eval().requires_grad_(False)

    opt = torch.optim.Adam(small.parameters(), lr=3e-3)
    student, teacher = Catcher(small), Catcher(big)
    norms = []
    small.head.weight.register_hook(lambda g: norms.append(g.norm().item()))
    for n, (x, y) in enumerate(tiles(80), 1):
        out = small(x)
        with torch.no_grad():
            big(x)
        loss = F.cross_entropy(out, y) + 0.5 * hint(student, teacher)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if n % 20 == 0:
            print(f"{n}: {loss.item():.3f}, head gradient {sum(norms[-20:]) / 20:.3f}")
    student.close(), teacher.close()


main()
