# gradwatch-corpus: kind=none
# about: a frozen teacher's activations are saved by forward hooks and matched by the student's,
# about: whose own hooks keep activations WITH their graph, but only until the next forward
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class Tap:
    """Keeps what some layers last put out."""

    def __init__(self, model, names):
        self.outputs = {}
        modules = dict(model.named_modules())
        for name in names:
            modules[name].register_forward_hook(self._hook(name))

    def _hook(self, name):
        def keep(module, inputs, output):
            self.outputs[name] = output

        return keep


def net(width):
    return nn.Sequential(
        nn.Linear(16, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 4)
    )


def main():
    torch.manual_seed(0)
    stream = batches(*classes(), size=32)
    teacher, student = net(64), net(16)
    warm = torch.optim.Adam(teacher.parameters(), lr=3e-3)
    for _ in range(30):
        x, y = next(stream)
        warm.zero_grad()
        F.cross_entropy(teacher(x), y).backward()
        warm.step()
    teacher.eval().requires_grad_(False)
    seen_t, seen_s = Tap(teacher, ["1", "3"]), Tap(student, ["1", "3"])
    regress = nn.ModuleList(nn.Linear(16, 64) for _ in range(2))
    optimizer = torch.optim.Adam([*student.parameters(), *regress.parameters()], lr=2e-3)
    for step in range(ITERATIONS):
        x, y = next(stream)
        soft = teacher(x)
        out = student(x)
        hints = sum(
            F.mse_loss(r(seen_s.outputs[k]), seen_t.outputs[k]) for r, k in zip(regress, ("1", "3"))
        )
        kd = F.kl_div(F.log_softmax(out / 4, 1), F.softmax(soft / 4, 1), reduction="batchmean") * 16
        loss = F.cross_entropy(out, y) + 0.7 * kd + 0.1 * hints
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f} hints {hints.item():.6f}")


if __name__ == "__main__":
    main()
