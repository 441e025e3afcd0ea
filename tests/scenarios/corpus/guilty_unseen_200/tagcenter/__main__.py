# gradwatch-corpus: kind=graph-chain
# holder: self.center | model.norm.center
# first-bad: 1
import torch
import torch.nn.functional as F

from .data import bags
from .layers import TagClassifier


def evaluate(model, gen):
    model.eval()
    with torch.no_grad():
        ids, y = bags(128, gen)
        acc = (model(ids).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main(iters=410):
    torch.manual_seed(13)
    gen = torch.Generator().manual_seed(13)
    model = TagClassifier(vocab=60, dim=12, classes=3)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for it in range(iters):
        ids, y = bags(24, gen)
        loss = F.cross_entropy(model(ids), y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if it % 80 == 0:
            print(f"it {it} loss {loss.item():.4f} acc {evaluate(model, gen):.3f}")


if __name__ == "__main__":
    main()
