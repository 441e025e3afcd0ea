# gradwatch-corpus: kind=none
"""Plasma profile inversion with an editor-like undo stack for rejected steps."""
import torch
from torch import nn


class Profile(nn.Module):
    def __init__(self, knots=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
        self.register_buffer("rho", torch.linspace(0, 1, 40)[:, None])

    def forward(self):
        return nn.functional.softplus(self.net(self.rho)).squeeze(-1)


class UndoStack:
    DEPTH = 6

    def __init__(self):
        self._undo = []
        self._redo = []

    def push(self, command):
        self._undo.append(command)
        self._redo.clear()
        if len(self._undo) > self.DEPTH:
            self._undo.pop(0)

    def undo(self):
        if not self._undo:
            return None
        command = self._undo.pop()
        self._redo.append(command)
        return command

    def peek(self, back=1):
        return self._undo[-back] if len(self._undo) >= back else None


class Command:
    def __init__(self, weights, profile, misfit):
        self.weights = weights
        self.profile = profile
        self.misfit = misfit

    def revert(self, model):
        with torch.no_grad():
            for p, w in zip(model.parameters(), self.weights):
                p.copy_(w)


def chords(gen, n=24):
    impact = torch.rand(n, generator=gen)
    rho = torch.linspace(0, 1, 40)[None]
    weight = torch.where(rho > impact[:, None], rho / (rho ** 2 - impact[:, None] ** 2).clamp(min=2e-3).sqrt(), torch.zeros(()))
    return weight / 40


def main():
    torch.manual_seed(50)
    gen = torch.Generator().manual_seed(51)
    model = Profile()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    rho = torch.linspace(0, 1, 40)
    truth = 2 * (1 - rho ** 2) ** 1.5 + 0.2
    stack = UndoStack()
    undone = 0
    for step in range(500):
        geometry = chords(gen)
        measured = geometry @ truth + 0.01 * torch.randn(24, generator=gen)
        weights = [p.detach().clone() for p in model.parameters()]
        profile = model()
        smooth = profile.diff().diff().pow(2).sum()
        misfit = (geometry @ profile - measured).pow(2).mean() + 0.01 * smooth
        opt.zero_grad()
        misfit.backward()
        before = stack.peek()
        if before is not None and misfit.item() > 4 * before.misfit.item() + 1e-3:
            stack.undo().revert(model)
            undone += 1
            continue
        opt.step()
        stack.push(Command(weights, profile, misfit))
        if step % 80 == 0:
            oldest = stack.peek(len(stack._undo))
            moved = (profile - oldest.profile).abs().max().item()
            print(f"{step} misfit {misfit.item():.4f} moved {moved:.4f} undone {undone}")


if __name__ == "__main__":
    main()
