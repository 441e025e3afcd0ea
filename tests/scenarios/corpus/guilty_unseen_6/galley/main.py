# gradwatch-corpus: kind=second-backward
# holder: self.centres[label] | self.centres | anchors.centres | recipe.anchors.centres | self.anchors.centres
# first-bad: 25
"""Few-label grouping of ship engine vibration spectra around slowly moving class centres."""
import torch

from anchors import MovingAnchors
from encoder import SpectrumEncoder
from plumbing import REGISTRY, every, spectra


@REGISTRY.add("anchored")
class AnchoredRecipe:
    def __init__(self, labels, lr):
        self.net = SpectrumEncoder(48, 16)
        self.anchors = MovingAnchors(labels, 16, pull=0.3)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.step_no = 0

    def step(self, x, y):
        z = self.net(x)
        logits = self.anchors.scores(z)
        loss = torch.nn.functional.cross_entropy(logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.follow(z, y)  # <- culprit
        self.step_no += 1
        return {"loss": loss.item(), "acc": (logits.argmax(1) == y).float().mean().item()}

    @every(25)
    def follow(self, z, y):
        self.anchors.move(z, y)  # <- culprit


def main():
    torch.manual_seed(19)
    recipe = REGISTRY["anchored"](labels=6, lr=2e-3)
    for k, (x, y) in enumerate(spectra(rows=32, labels=6, n=300)):
        out = recipe.step(x, y)
        if k % 10 == 0:
            print(k, {name: round(v, 3) for name, v in out.items()})


if __name__ == "__main__":
    main()
