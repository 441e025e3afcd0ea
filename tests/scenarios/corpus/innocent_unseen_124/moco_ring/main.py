# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from ring import KeyRing
from twins import Twins

torch.set_num_threads(1)
torch.manual_seed(14)


def spectra(n):
    k = torch.randint(0, 6, (n, 1))
    x = torch.sin(torch.linspace(0, 6, 30) * (1 + k))
    return x + 0.2 * torch.randn(n, 30), x + 0.2 * torch.randn(n, 30)


twins, ring = Twins(), KeyRing(size=96, dim=8)
opt = torch.optim.SGD(twins.query.parameters(), lr=0.05, momentum=0.9)
for it in range(600):
    a, b = spectra(16)
    q, k = twins(a, b)
    pos = (q * k).sum(1, keepdim=True)
    logits = torch.cat([pos, q @ ring.keys.clone().t()], 1) / 0.2
    loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
    opt.zero_grad()
    loss.backward()
    opt.step()
    twins.follow()
    ring.push(k)
    if it % 120 == 0:
        print(it, f"{loss.item():.4f}")
