# gradwatch-corpus: kind=none
"""Attention-transfer distillation with forward hooks and an EMA teacher."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Tap:
    def __init__(self, net, names):
        self.out, self.names = {}, names
        mods = dict(net.named_modules())
        self.handles = [mods[n].register_forward_hook(self._save(n)) for n in names]

    def _save(self, name):
        def hook(_, __, output):
            self.out.setdefault(name, []).append(output)
        return hook

    def maps(self):
        return [torch.cat(self.out[n]).pow(2).mean(1).flatten(1) for n in self.names]

    def clear(self):
        self.out.clear()


class SmallCNN(nn.Module):
    def __init__(self, w=8, classes=4):
        super().__init__()
        self.c1 = nn.Conv2d(1, w, 3, padding=1)
        self.c2 = nn.Conv2d(w, 2 * w, 3, 2, 1)
        self.fc = nn.Linear(2 * w, classes)

    def forward(self, x):
        x = F.relu(self.c2(F.relu(self.c1(x))))
        return self.fc(x.mean((2, 3)))


class Distiller:
    def __init__(self):
        self.student = SmallCNN()
        self.teacher = copy.deepcopy(self.student)
        self.s_tap, self.t_tap = Tap(self.student, ["c1", "c2"]), Tap(self.teacher, ["c1", "c2"])
        self.opt = torch.optim.RMSprop(self.student.parameters(), lr=1e-3)
        self.history = []

    @torch.no_grad()
    def ema(self, d=0.98):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.copy_(d * t + (1 - d) * s)

    def step(self, x, y):
        logits = torch.cat([self.student(h) for h in x.chunk(2)])
        with torch.no_grad():
            target = torch.cat([self.teacher(h + 0.1 * torch.randn_like(h)) for h in x.chunk(2)])
        at = sum(F.mse_loss(F.normalize(a), F.normalize(b)) for a, b in zip(self.s_tap.maps(), self.t_tap.maps()))
        parts = {"ce": F.cross_entropy(logits, y), "at": 10 * at,
                 "kd": F.kl_div(logits.log_softmax(1), target.softmax(1), reduction="batchmean")}
        total = sum(parts.values())
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.ema()
        self.history.append(parts)
        self.s_tap.clear()
        self.t_tap.clear()

    def flush(self):
        mean = {k: sum(p[k].item() for p in self.history) / len(self.history) for k in self.history[0]}
        self.history.clear()
        return mean


def shapes(n):
    y = torch.randint(0, 4, (n,))
    grid = torch.arange(10)
    r, c = grid[:, None], grid[None]
    bank = torch.stack([(r % 3 == 0).expand(10, 10), (c % 3 == 0).expand(10, 10), (r + c) % 3 == 0, (r - c) % 3 == 0])
    return bank[y].float().unsqueeze(1) + 0.7 * torch.randn(n, 1, 10, 10), y


if __name__ == "__main__":
    torch.manual_seed(6)
    d = Distiller()
    for i in range(1, 481):
        d.step(*shapes(32))
        if i % 40 == 0:
            line = "  ".join(f"{k} {v:.4f}" for k, v in d.flush().items())
            print(f"[{i}] {line}")
