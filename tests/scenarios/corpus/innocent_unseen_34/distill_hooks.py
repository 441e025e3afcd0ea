# gradwatch-corpus: kind=none
"""Feature distillation: intermediate activations of teacher and student are taken with hooks."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(width, depth, d_in=16, n_out=5):
    layers, d = [], d_in
    for _ in range(depth):
        layers += [nn.Linear(d, width), nn.ReLU()]
        d = width
    return nn.Sequential(*layers, nn.Linear(d, n_out))


class FeatureTap:
    def __init__(self, model, indices):
        self.features = []
        self._handles = [model[i].register_forward_hook(self._save) for i in indices]

    def _save(self, module, args, output):
        self.features.append(output)

    def pop(self):
        out = list(self.features)
        self.features.clear()
        return out

    def close(self):
        for h in self._handles:
            h.remove()


class Distiller(nn.Module):
    def __init__(self, teacher, student, t_idx, s_idx, t_width, s_width, tau=2.0):
        super().__init__()
        self.teacher, self.student = teacher, student
        for p in teacher.parameters():
            p.requires_grad_(False)
        self.t_tap, self.s_tap = FeatureTap(teacher, t_idx), FeatureTap(student, s_idx)
        self.adapters = nn.ModuleList(nn.Linear(s_width, t_width) for _ in s_idx)
        self.tau = tau
        self.last_output = None

    def forward(self, x, y):
        t_logits = self.teacher(x)
        self.last_output = self.student(x)
        hint = 0.0
        for a, s, t in zip(self.adapters, self.s_tap.pop(), self.t_tap.pop()):
            hint += F.mse_loss(a(s), t)
        soft = F.kl_div(
            F.log_softmax(self.last_output / self.tau, 1),
            F.softmax(t_logits / self.tau, 1), reduction="batchmean") * self.tau ** 2
        return F.cross_entropy(self.last_output, y) + 0.5 * soft + 0.1 * hint


def dataset(n=3000):
    g = torch.Generator().manual_seed(4)
    x = torch.randn(n, 16, generator=g)
    w = torch.randn(16, 5, generator=g)
    return x, (x @ w + 0.5 * (x ** 2) @ w.roll(1, 0)).argmax(1)


def pretrain(teacher, x, y, steps=80):
    opt = torch.optim.Adam(teacher.parameters(), lr=3e-3)
    for _ in range(steps):
        i = torch.randint(0, len(x), (128,))
        loss = F.cross_entropy(teacher(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    x, y = dataset()
    teacher, student = mlp(128, 3), mlp(24, 2)
    print("teacher loss %.3f" % pretrain(teacher, x, y))
    kd = Distiller(teacher, student, t_idx=(1, 5), s_idx=(1, 3), t_width=128, s_width=24)
    opt = torch.optim.Adam([*student.parameters(), *kd.adapters.parameters()], lr=3e-3)
    for step in range(1, 121):
        i = torch.randint(0, 2500, (64,))
        opt.zero_grad()
        loss = kd(x[i], y[i])
        loss.backward()
        opt.step()
        if step % 40 == 0:
            acc = (kd.last_output.argmax(1) == y[i]).float().mean().item()
            print(f"step {step} loss {loss.item():.3f} batch acc {acc:.3f}")
    kd.t_tap.close()
    kd.s_tap.close()
    with torch.no_grad():
        print("held-out %.3f" % (student(x[2500:]).argmax(1) == y[2500:]).float().mean())


if __name__ == "__main__":
    main()
