# gradwatch-corpus: kind=none
"""Line-search training with undo: the last few edits may be rolled back when loss jumps."""
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Edit:
    def __init__(self, label, state, evidence):
        self.label = label
        self.state = state
        self.evidence = evidence


class UndoStack:
    def __init__(self, depth):
        self.depth = depth
        self.done = []
        self.undone = []

    def push(self, edit):
        self.done.append(edit)
        self.undone.clear()
        overflow = len(self.done) - self.depth
        if overflow > 0:
            self.done = self.done[overflow:]

    def undo(self):
        edit = self.done.pop()
        self.undone.append(edit)
        return edit

    def peek(self):
        return self.done[-1] if self.done else None

    def __len__(self):
        return len(self.done)


class Warper(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 28)
        self.b = nn.Linear(28, 2)

    def forward(self, p):
        return p + self.b(torch.sin(self.a(p)))


def warp(p):
    return torch.stack([p[:, 0] + 0.3 * torch.sin(3 * p[:, 1]), p[:, 1] - 0.2 * p[:, 0] ** 2], dim=1)


def main():
    torch.manual_seed(71)
    model = Warper()
    opt = torch.optim.SGD(model.parameters(), lr=0.3)
    stack = UndoStack(depth=15)
    undos = 0
    for it in range(560):
        p = 2 * torch.rand(64, 2) - 1
        out = model(p)
        loss = F.mse_loss(out, warp(p))
        last = stack.peek()
        if last is not None and loss.item() > 1.45 * last.evidence["loss"].item():
            edit = stack.undo()
            model.load_state_dict(edit.state)
            undos += 1
            continue
        before = copy.deepcopy(model.state_dict())
        opt.zero_grad()
        loss.backward()
        opt.step()
        stack.push(Edit(f"step-{it}", before, {"loss": loss, "output": out, "points": p}))
        if it % 112 == 0:
            drift = 0.0
            if len(stack) > 1:
                old = stack.done[0].evidence
                with torch.no_grad():
                    drift = (old["output"] - model(old["points"])).abs().max().item()
            print(f"{stack.peek().label} loss {loss.item():.5f} depth {len(stack)} undos {undos} drift {drift:.3f}")


if __name__ == "__main__":
    main()
