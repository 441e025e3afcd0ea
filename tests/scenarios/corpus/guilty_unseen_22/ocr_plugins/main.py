# gradwatch-corpus: kind=graph-held
# holder: self.trace | self.trace[name] | plugin.trace | health.trace | self.trace[name].append | ActivationHealth.trace | probes[0].trace
# first-bad: 1
"""Glyph recogniser on synthetic 16x16 characters; the recipe is assembled from registered parts."""
import torch
import torch.nn.functional as F

import parts  # noqa: F401  (registers models and probes)
from registry import build


class Recipe:
    model = ("glyph_cnn", dict(classes=20, width=12))
    probes = [
        ("activation_health", dict(every=80, window=40)),
        ("accuracy", dict(every=80)),
    ]
    steps, batch, lr, seed = 240, 32, 2e-3, 77


class GlyphSource:
    """Every class is a fixed random stroke pattern; samples are shifted and noisy."""

    def __init__(self, classes, gen):
        self.gen = gen
        coarse = (torch.rand(classes, 1, 6, 6, generator=gen) > 0.55).float()
        self.templates = F.interpolate(coarse, size=(16, 16), mode="bilinear").squeeze(1)

    def batch(self, n):
        y = torch.randint(len(self.templates), (n,), generator=self.gen)
        x = self.templates[y]
        dx, dy = torch.randint(-2, 3, (2,), generator=self.gen).tolist()
        x = torch.roll(x, (dy, dx), (1, 2)) + 0.25 * torch.randn(x.shape, generator=self.gen)
        return x.unsqueeze(1), y


def main(recipe=Recipe):
    torch.manual_seed(recipe.seed)
    gen = torch.Generator().manual_seed(recipe.seed)
    name, kw = recipe.model
    model = build("model", name, **kw)
    probes = [build("probe", n, **k) for n, k in recipe.probes]
    for probe in probes:
        probe.bind(model)
    source = GlyphSource(model.classes, gen)
    optimizer = torch.optim.NAdam(model.parameters(), lr=recipe.lr)

    for step in range(recipe.steps):
        x, y = source.batch(recipe.batch)
        logits = model(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for probe in probes:
            probe.after_step(step, logits.detach(), y)
    for probe in probes:
        probe.unbind()
    print("done, last loss", round(loss.item(), 4))


if __name__ == "__main__":
    main()
