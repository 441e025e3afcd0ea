# gradwatch-corpus: kind=second-backward
# holder: self.store | cache.store | remember.store | designer.styles.store | self.styles.store | style | code | styles.store
# first-bad: 21
# notice: 0
"""Glyph synthesis from (letter, typeface style); style codes of known typefaces are looked up."""
import functools

import torch
from torch import nn
import torch.nn.functional as F


class StyleCache:
    """Keeps the style code of a typeface until its reference glyphs are replaced."""

    def __init__(self, fresh_for):
        self.fresh_for = fresh_for
        self.store = {}
        self.hits = self.misses = 0

    def wants(self, face, edition):
        held = self.store.get(face)
        return held is not None and held[0] == edition

    def __call__(self, fn):
        @functools.wraps(fn)
        def wrapped(owner, face, edition, refs):
            if self.wants(face, edition):
                self.hits += 1
                return self.store[face][1]  # <- culprit
            self.misses += 1
            code = fn(owner, face, edition, refs)
            self.store[face] = (edition, code)  # <- culprit
            return code
        return wrapped


styles = StyleCache(fresh_for=None)


class Designer(nn.Module):
    def __init__(self, letters=26, side=8, dim=12):
        super().__init__()
        self.side = side
        self.look = nn.Sequential(nn.Linear(side * side, 32), nn.Tanh(), nn.Linear(32, dim))
        self.letter = nn.Embedding(letters, dim)
        self.draw = nn.Sequential(nn.Linear(2 * dim, 48), nn.ReLU(), nn.Linear(48, side * side))

    @styles
    def style_of(self, face, edition, refs):
        return self.look(refs.flatten(1)).mean(0)  # <- culprit

    def forward(self, letter, style):
        h = torch.cat([self.letter(letter), style.expand(len(letter), -1)], -1)
        return torch.sigmoid(self.draw(h)).view(-1, self.side, self.side)


class Foundry:
    """Endless stream of jobs. Fresh editions come in first, then reprints."""

    def __init__(self, n_faces=7, letters=26, side=8, reprints_after=21):
        self.g = torch.Generator().manual_seed(77)
        self.skeleton = torch.rand(letters, side, side, generator=self.g)
        self.slant = torch.randn(n_faces, side, side, generator=self.g) * 0.3
        self.n_faces, self.reprints_after = n_faces, reprints_after
        self.edition = {f: 0 for f in range(n_faces)}

    def glyphs(self, face, letter):
        return (self.skeleton[letter] + self.slant[face]).clamp(0, 1)

    def jobs(self, n):
        for j in range(n):
            face = j % self.n_faces
            if j < self.reprints_after:
                self.edition[face] += 1
            refs = self.glyphs(face, torch.randint(26, (5,), generator=self.g))
            letter = torch.randint(26, (16,), generator=self.g)
            yield face, self.edition[face], refs, letter, self.glyphs(face, letter)


def run_job(model, opt, job):
    face, edition, refs, letter, target = job
    style = model.style_of(face, edition, refs)
    loss = F.l1_loss(model(letter, style), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    model = Designer()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for j, job in enumerate(Foundry().jobs(200)):
        loss = run_job(model, opt, job)
        if j % 10 == 0:
            print(f"job {j:3d} loss {loss:.4f} hits {styles.hits} misses {styles.misses}")


if __name__ == "__main__":
    main()
