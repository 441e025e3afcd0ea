# gradwatch-corpus: kind=graph-chain
# holder: atlas[phase].mean | atlas | atlas[phase] | self.atlas | model.atlas | self.atlas[phase].mean
# first-bad: 42
# notice: 5
"""Cell-cycle phase from marker intensities, with drifting phase prototypes after a warm-up."""
from enum import Enum
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Phase(Enum):
    G1 = 0
    S = 1
    G2M = 2


class Proto(NamedTuple):
    mean: torch.Tensor
    cells: int = 0

    def toward(self, feats, rate=0.08):
        return self._replace(mean=torch.lerp(self.mean, feats.mean(0), rate), cells=self.cells + len(feats))  # <- culprit


MARKERS = 10
WARMUP, STEPS = 40, 240
PROFILE = {
    Phase.G1: torch.linspace(1.0, -1.0, MARKERS),
    Phase.S: torch.cos(torch.linspace(0, 6.3, MARKERS)),
    Phase.G2M: torch.sin(torch.linspace(0, 6.3, MARKERS)),
}


def sample(n, gen):
    idx = torch.randint(len(Phase), (n,), generator=gen)
    table = torch.stack([PROFILE[p] for p in Phase])
    return table[idx] + 0.6 * torch.randn(n, MARKERS, generator=gen), idx


class PhaseModel(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.project = nn.Linear(MARKERS, dim)
        self.classify = nn.Linear(dim, len(Phase))
        self.atlas: dict[Phase, Proto] = {}

    def forward(self, x):
        z = F.silu(self.project(x))
        return z, self.classify(z)

    def pull(self, z, idx):
        """Contrast every cell with the prototypes known so far."""
        protos = torch.stack([self.atlas[p].mean for p in Phase])
        return F.cross_entropy(-torch.cdist(z, protos).pow(2), idx)

    def refresh(self, z, idx):
        for phase in Phase:
            members = z[idx == phase.value]
            if not len(members):
                continue
            if phase in self.atlas:
                self.atlas[phase] = self.atlas[phase].toward(members)  # <- culprit
            else:
                self.atlas[phase] = Proto(members.mean(0).detach(), len(members))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(80)
    model = PhaseModel()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(STEPS):
        x, idx = sample(30, gen)
        z, logits = model(x)
        loss = F.cross_entropy(logits, idx)
        late = step >= WARMUP
        if late:
            model.refresh(z, idx)
            loss = loss + 0.3 * model.pull(z, idx)
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=late)
        opt.step()
        if step % 40 == 0:
            acc = (logits.argmax(1) == idx).float().mean().item()
            known = {p.name: proto.cells for p, proto in model.atlas.items()}
            print(f"{step:3d} loss {loss.item():.3f} acc {acc:.2f} {known}")


if __name__ == "__main__":
    main()
