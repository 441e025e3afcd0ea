import torch


class LineGenerator:
    """Renders random strings as column patterns of random glyph bitmaps."""

    def __init__(self, n_glyphs, height, batch, glyph_w=6):
        self.glyphs = (torch.rand(n_glyphs, height, glyph_w) > 0.5).float()
        self.h, self.batch, self.gw = height, batch, glyph_w

    def sample(self):
        lens = torch.randint(3, 7, (self.batch,))
        w = int(lens.max()) * self.gw
        imgs = 0.1 * torch.randn(self.batch, 1, self.h, w)
        targets = []
        for b, n in enumerate(lens.tolist()):
            ids = torch.randint(0, len(self.glyphs), (n,))
            imgs[b, 0, :, : n * self.gw] += torch.cat([self.glyphs[i] for i in ids], 1)
            targets.append(ids + 1)
        return imgs, torch.cat(targets), lens
