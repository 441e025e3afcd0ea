# gradwatch-corpus: kind=none
"""Message volume between villages; node memory is updated by a GRU one batch late and then cut."""
import torch

torch.set_num_threads(1)

from .nets import LateMemory, VolumeHead


def stream(batches, nodes=12, size=6):
    pull = torch.rand(nodes)
    for _ in range(batches):
        a, b = torch.randint(0, nodes, (2, size))
        f = torch.randn(size, 3)
        yield a, b, f, pull[a] + pull[b] + 0.2 * f[:, 0]


def main():
    torch.manual_seed(66)
    mem, head = LateMemory(12, 3, 8), VolumeHead(8, 3)
    opt = torch.optim.Adam([*mem.parameters(), *head.parameters()], 4e-3)
    avg = 0.0
    for n, (a, b, f, vol) in enumerate(stream(480)):
        mem.flush()
        loss = (head(mem.read(a), mem.read(b), f) - vol).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        mem.cut()
        mem.post(a, b, f)
        avg = 0.98 * avg + 0.02 * loss.item()
        if n % 80 == 79:
            print(n + 1, round(avg, 4))


main()
