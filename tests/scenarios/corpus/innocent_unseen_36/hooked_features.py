# gradwatch-corpus: kind=none
"""Feature matching distillation: hooks collect the activations of both nets each step."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Tap:
    """Collects outputs of chosen layers while the block runs."""

    def __init__(self, model, kind=nn.ReLU):
        self.model, self.kind, self.outputs, self.handles = model, kind, [], []

    def _save(self, module, args, output):
        self.outputs.append(output)

    def __enter__(self):
        self.outputs = []
        self.handles = [m.register_forward_hook(self._save) for m in self.model.modules() if isinstance(m, self.kind)]
        return self

    def __exit__(self, *exc):
        while self.handles:
            self.handles.pop().remove()


def net(width):
    return nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 3))


def gram(h):
    h = F.normalize(h, dim=1)
    return h @ h.t()


def main():
    torch.manual_seed(0)
    teacher, student = net(64).eval(), net(16)
    opt = torch.optim.Adam(student.parameters(), lr=3e-3)
    t_tap, s_tap = Tap(teacher), Tap(student)
    best = float("inf")
    for step in range(120):
        x = torch.randn(40, 10)
        with torch.no_grad(), t_tap:
            goal = teacher(x)
        with s_tap:
            out = student(x)
        match = sum(F.mse_loss(gram(s), gram(t)) for s, t in zip(s_tap.outputs, t_tap.outputs))
        loss = F.mse_loss(out, goal) + match
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (now := loss.item()) < best:
            best, best_weights = now, {k: v.clone() for k, v in student.state_dict().items()}
        if step % 30 == 0:
            print(f"step {step} loss {now:.4f} best {best:.4f} taps {len(s_tap.outputs)}")
    student.load_state_dict(best_weights)


if __name__ == "__main__":
    main()
