# gradwatch-corpus: kind=none
"""Leaf-disease classifier; the hardest and the easiest batches so far are kept for a look at the end."""
import torch

from leaves import LeafNet, draw
from shelf import ExtremesShelf


def main():
    torch.set_num_threads(1)
    torch.manual_seed(90)
    net = LeafNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    shelf = ExtremesShelf(keep=20)
    for it in range(480):
        x, y = draw(32, noise=0.3 + 0.5 * (it % 7 == 0))
        logits = net(x)
        loss = torch.nn.functional.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        shelf.offer(it, loss, logits, y)
        if it % 96 == 95:
            print(f"it {it + 1}: loss {loss.item():.3f} | hard from {shelf.hard_span()}")
    for name, its, confusion in shelf.summary():
        print(name, its[:8], "mostly taken for class", confusion)


if __name__ == "__main__":
    main()
