import torch


class AssayStream:
    def __init__(self, seed, residues=20, window=9, bits=16):
        self.gen = torch.Generator().manual_seed(seed)
        self.residues, self.window, self.bits = residues, window, bits
        self.effect = torch.randn(residues * window, generator=self.gen) * 0.4
        self.affinity = torch.randn(bits, generator=self.gen) * 0.3

    def draw(self, n):
        idx = torch.randint(0, self.residues, (n, self.window), generator=self.gen)
        seq = torch.nn.functional.one_hot(idx, self.residues).float()
        fp = torch.randint(0, 2, (n, self.bits), generator=self.gen).float()
        y = seq.flatten(1) @ self.effect + fp @ self.affinity
        # plate reader glitches
        glitch = torch.rand(n, generator=self.gen) < 0.08
        y = y + glitch * 3.0 * torch.randn(n, generator=self.gen)
        return seq, fp, y
