# gradwatch-corpus: kind=graph-held
# holder: model.atoms._backward_hooks | self.atoms._backward_hooks | codes | model.atoms
# first-bad: 1
# notice: 8
"""Dictionary learning on short audio frames: unrolled ISTA codes, learned atoms, atom usage watched from a grad hook."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(17)


class SparseFrames(nn.Module):
    def __init__(self, samples=24, atoms=16, rounds=3):
        super().__init__()
        self.atoms = nn.Parameter(nn.functional.normalize(torch.randn(atoms, samples), dim=1))
        self.threshold = nn.Parameter(torch.tensor(0.05))
        self.rounds = rounds
        self.usage = torch.zeros(atoms)

    def codes(self, frames):
        z = frames.new_zeros(len(frames), len(self.atoms))
        for _ in range(self.rounds):
            residual = frames - z @ self.atoms
            z = z + 0.2 * residual @ self.atoms.t()
            z = z.sign() * torch.relu(z.abs() - self.threshold)
        return z

    def forward(self, frames):
        codes = self.codes(frames)

        def note_usage(grad):
            alive = (codes.abs() > 1e-4).float().mean(0)
            self.usage = 0.9 * self.usage + 0.1 * alive * (grad.norm(dim=1) > 0)

        if self.training:
            self.atoms.register_hook(note_usage)  # <- culprit
        return codes @ self.atoms, codes


def frames(n, rng):
    t = torch.arange(24) / 24
    f = torch.randint(1, 6, (n, 2), generator=rng).float()
    phase = torch.rand(n, 2, generator=rng) * 6.28
    return torch.sin(6.28 * f[..., None] * t + phase[..., None]).sum(1)


def main():
    rng = torch.Generator().manual_seed(5)
    model = SparseFrames().train()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for i in range(240):
        x = frames(10, rng)
        rebuilt, codes = model(x)
        loss = (rebuilt - x).square().mean() + 0.01 * codes.abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            model.atoms.copy_(nn.functional.normalize(model.atoms, dim=1))
        if i % 60 == 59:
            print(i + 1, f"{loss.item():.4f}", "used", int((model.usage > 0.01).sum()))


main()
