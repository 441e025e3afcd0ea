# gradwatch-corpus: kind=graph-held
# holder: board.poses | self.poses
# first-bad: 1
# notice: 100
"""Learned docking score: ranks ligand poses by predicted binding energy."""
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn, Tensor


@dataclass
class Pose:
    step: int
    energy: Tensor
    rmsd: float


@dataclass
class Leaderboard:
    size: int = 10
    poses: List[Pose] = field(default_factory=list)

    def submit(self, pose: Pose) -> None:
        self.poses.append(pose)  # <- culprit
        self._trim(list(self.poses))

    def _trim(self, poses: List[Pose]) -> None:
        poses.sort(key=lambda p: p.energy.item())
        del poses[self.size:]  # <- culprit

    def best(self) -> Pose:
        return min(self.poses, key=lambda p: p.energy.item())


class PairEnergy(nn.Module):
    def __init__(self, n_types: int, n_rbf: int = 16):
        super().__init__()
        self.register_buffer("centres", torch.linspace(0.0, 6.0, n_rbf))
        self.type_emb = nn.Embedding(n_types, 12)
        self.mlp = nn.Sequential(nn.Linear(n_rbf + 24, 48), nn.Softplus(), nn.Linear(48, 1))

    def forward(self, lig_x, lig_t, poc_x, poc_t):
        d = torch.cdist(lig_x, poc_x)
        rbf = torch.exp(-((d[..., None] - self.centres) ** 2))
        a = self.type_emb(lig_t)[:, :, None].expand(-1, -1, poc_t.shape[1], -1)
        b = self.type_emb(poc_t)[:, None].expand(-1, lig_t.shape[1], -1, -1)
        pair = self.mlp(torch.cat([rbf, a, b], dim=-1)).squeeze(-1)
        cut = (d < 6.0).float()
        return (pair * cut).sum((1, 2)) / cut.sum((1, 2)).clamp(min=1.0)


def complexes(gen, batch=8, n_lig=6, n_poc=14, n_types=5):
    poc_x = 3 * torch.randn(batch, n_poc, 3, generator=gen)
    poc_t = torch.randint(0, n_types, (batch, n_poc), generator=gen)
    lig_x = torch.randn(batch, n_lig, 3, generator=gen)
    lig_t = torch.randint(0, n_types, (batch, n_lig), generator=gen)
    d = torch.cdist(lig_x, poc_x)
    target = ((2.0 / (d + 0.5)) ** 2 - 2.0 / (d + 0.5)).mean((1, 2))
    return (lig_x, lig_t, poc_x, poc_t), target


def main(steps: int = 420) -> None:
    torch.manual_seed(23)
    gen = torch.Generator().manual_seed(31)
    net = PairEnergy(5)
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    board = Leaderboard(size=10)
    for step in range(steps):
        inputs, target = complexes(gen)
        energy = net(*inputs)
        loss = nn.functional.smooth_l1_loss(energy, target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        k = int(energy.argmin())
        board.submit(Pose(step, energy[k], float(inputs[0][k].norm(dim=-1).mean())))
        if step % 60 == 0:
            top = board.best()
            print(f"{step:4d} loss {loss.item():.4f} best {top.energy.item():+.3f} from step {top.step}")


if __name__ == "__main__":
    main()
