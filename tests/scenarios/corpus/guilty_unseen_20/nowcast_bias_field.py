# gradwatch-corpus: kind=graph-chain
# holder: self._field | tracker._field | self.bias._field | model.bias._field | self.field | tracker.field | model.bias.field
# first-bad: 1
"""Rain nowcasting on a small radar grid: a conv net extrapolates the last three scans,
and an advected bias field corrects what it keeps getting wrong."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1953)

GRID = 24
HISTORY = 3


class RadarLoop:
    """Rain cells drifting over a periodic domain; yields (history, next scan) without end."""

    def __init__(self, seed=6, cells=7):
        self.gen = torch.Generator().manual_seed(seed)
        self.xy = GRID * torch.rand(cells, 2, generator=self.gen)
        self.power = 0.5 + torch.rand(cells, generator=self.gen)
        self.wind = torch.tensor([0.8, 0.3])
        axis = torch.arange(GRID, dtype=torch.float32)
        self.gx, self.gy = torch.meshgrid(axis, axis, indexing="ij")
        self.orography = 0.3 * torch.sin(self.gx / 4.0) * torch.cos(self.gy / 5.0)

    def _render(self):
        scan = torch.zeros(GRID, GRID)
        for (cx, cy), p in zip(self.xy.tolist(), self.power.tolist()):
            dx = (self.gx - cx + GRID / 2) % GRID - GRID / 2
            dy = (self.gy - cy + GRID / 2) % GRID - GRID / 2
            scan += p * torch.exp(-(dx * dx + dy * dy) / 12.0)
        return scan + self.orography

    def __iter__(self):
        scans = []
        while True:
            scans.append(self._render())
            jitter = 0.15 * torch.randn(self.xy.shape, generator=self.gen)
            self.xy = (self.xy + self.wind + jitter) % GRID
            if len(scans) > HISTORY:
                yield torch.stack(scans[:HISTORY]), scans[HISTORY]
                scans.pop(0)


class BiasTracker(nn.Module):
    """A correction carried with the mean wind and relaxed towards a learnt source."""

    def __init__(self, relax=0.2, shift=(1, 0)):
        super().__init__()
        self.source = nn.Parameter(torch.zeros(GRID, GRID))
        self.relax = relax
        self.shift = shift
        self._field = torch.zeros(GRID, GRID)

    @property
    def field(self):
        return self._field

    @field.setter
    def field(self, value):
        self._field = value  # <- culprit

    def advance(self):
        carried = torch.roll(self.field, self.shift, dims=(0, 1))
        self.field = torch.lerp(carried, self.source, self.relax)  # <- culprit
        return self.field


class Nowcaster(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.stem = nn.Conv2d(HISTORY, width, 3, padding=1, padding_mode="circular")
        self.mid = nn.Conv2d(width, width, 3, padding=1, padding_mode="circular")
        self.out = nn.Conv2d(width, 1, 1)
        self.bias = BiasTracker()

    def forward(self, history):
        h = F.relu(self.stem(history.unsqueeze(0)))
        h = F.relu(self.mid(h))
        rain = history[-1] + self.out(h)[0, 0]
        return rain + self.bias.advance()


def weighted_error(pred, obs):
    weight = 1.0 + obs.clamp_min(0)
    return (weight * (pred - obs).pow(2)).mean()


def train(cycles=260):
    model = Nowcaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    skill = 0.0
    for cycle, (history, obs) in zip(range(cycles), RadarLoop()):
        optimizer.zero_grad()
        pred = model(history)
        loss = weighted_error(pred, obs)
        loss.backward()
        optimizer.step()
        persistence = weighted_error(history[-1], obs).item()
        skill += 0.05 * (1.0 - loss.item() / persistence - skill)
        if cycle % 65 == 0:
            print(f"cycle {cycle:4d}  error {loss.item():.4f}  skill vs persistence {skill:+.3f}")
    return model


if __name__ == "__main__":
    trained = train()
    print("bias field range", round(float(trained.bias.field.max() - trained.bias.field.min()), 4))
