# gradwatch-corpus: kind=graph-chain
# holder: self.tail | line.tail | self.lines[i].tail | reverb.lines[0].tail | reverb.lines[i].tail | self.reverb.lines[0].tail | matcher.reverb.lines[1].tail | matcher.reverb.lines[0].tail
# first-bad: 1
"""Matches the decay of a feedback-comb reverb to a reference unit, streaming block by
block as the plug-in would (Master's thesis, chapter 5)."""
import torch
import torch.nn as nn

BLOCK = 128
DELAYS = (128, 256)


class CombLine(nn.Module):
    """Feedback comb whose delay is a whole number of blocks."""

    def __init__(self, delay, decay=0.0, gain=0.0):
        super().__init__()
        assert delay % BLOCK == 0
        self.decay = nn.Parameter(torch.tensor(float(decay)))
        self.gain = nn.Parameter(torch.tensor(float(gain)))
        self.blocks = delay // BLOCK
        self.reset()

    def reset(self):
        self.tail = [torch.zeros(BLOCK) for _ in range(self.blocks)]

    def forward(self, dry):
        feedback = torch.sigmoid(self.decay)
        oldest = self.tail.pop(0)
        out = dry + feedback * oldest
        self.tail.append(out)  # <- culprit
        return torch.tanh(self.gain) * oldest


class Reverb(nn.Module):
    def __init__(self, decays, gains):
        super().__init__()
        self.lines = nn.ModuleList(CombLine(d, c, g) for d, c, g in zip(DELAYS, decays, gains))
        self.mix = nn.Parameter(torch.tensor(0.0))

    def reset(self):
        for line in self.lines:
            line.reset()

    def forward(self, dry):
        wet = sum(line(dry) for line in self.lines)
        m = torch.sigmoid(self.mix)
        return (1 - m) * dry + m * wet


class Performer:
    """Plays decaying plucks at random times."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.level = 0.0
        self.phase = 0.0

    def block(self):
        if torch.rand(1, generator=self.gen).item() < 0.4:
            self.level = 1.0
        t = torch.arange(BLOCK) / BLOCK
        env = self.level * torch.exp(-2.0 * t)
        self.level *= 0.135
        f = 3 + 5 * torch.rand(1, generator=self.gen)
        return env * torch.sin(6.2832 * f * t) + 0.01 * torch.randn(BLOCK, generator=self.gen)


def block_loss(pred, ref):
    time_part = (pred - ref).pow(2).mean()
    spec_p, spec_r = (torch.fft.rfft(x).abs().clamp_min(1e-4).log() for x in (pred, ref))
    return 10 * time_part + 0.05 * (spec_p - spec_r).abs().mean()


class Matcher:
    def __init__(self):
        self.reference = Reverb(decays=(1.4, 0.6), gains=(0.6, 0.4)).requires_grad_(False)
        self.reverb = Reverb(decays=(0.0, 0.0), gains=(0.1, 0.1))
        self.opt = torch.optim.Adam(self.reverb.parameters(), lr=0.01)
        self.player = Performer(seed=12)

    def process(self):
        dry = self.player.block()
        with torch.no_grad():
            target = self.reference(dry)
        return block_loss(self.reverb(dry), target)

    def step(self):
        loss = self.process()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return loss.item()

    def settings(self):
        rows = []
        for ours, theirs in zip(self.reverb.lines, self.reference.lines):
            rows.append(f"{torch.sigmoid(ours.decay).item():.3f}/{torch.sigmoid(theirs.decay).item():.3f}")
        return "feedback ours/reference: " + ", ".join(rows)


if __name__ == "__main__":
    torch.manual_seed(2)
    torch.set_num_threads(1)
    matcher = Matcher()
    mean = 0.0
    for n in range(240):
        mean = 0.97 * mean + 0.03 * matcher.step()
        if n % 60 == 59:
            print(f"block {n + 1}  loss {mean:.4f}  {matcher.settings()}")
