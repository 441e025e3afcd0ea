# gradwatch-corpus: kind=none
"""Feature distillation of a range-scan classifier; hooks expose the intermediate maps."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class ScanNet(nn.Module):
    def __init__(self, widths):
        super().__init__()
        chain, c = [], 1
        for w in widths:
            chain += [nn.Conv1d(c, w, 5, stride=2, padding=2, padding_mode="circular"), nn.ReLU()]
            c = w
        self.trunk = nn.Sequential(*chain)
        self.cls = nn.Linear(c, 3)

    def forward(self, x):
        return self.cls(self.trunk(x).mean(-1))


class FeatureTap:
    def __init__(self, net, layers):
        self.maps = {}
        self.grads = {}
        for i in layers:
            net.trunk[i].register_forward_hook(self._save(i))

    def _save(self, i):
        def hook(module, args, out):
            self.maps[i] = out
            if out.requires_grad:
                out.register_hook(lambda g, i=i: self.grads.__setitem__(i, g.norm().item()))
        return hook


def attention(x):
    return F.normalize(x.pow(2).mean(1), dim=-1)


def scans(n):
    kind = torch.randint(0, 3, (n,))
    ang = torch.linspace(0, 6.2832, 33)[:-1]
    phase = 6.28 * torch.rand(n, 1)
    freq = (kind + 1).float().unsqueeze(1)
    r = 1 + 0.4 * torch.sin(freq * ang + phase) + 0.15 * torch.randn(n, 32)
    return r.unsqueeze(1), kind


def fit_teacher(net, steps=150):
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for _ in range(steps):
        x, y = scans(24)
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    for p in net.parameters():
        p.requires_grad_(False)
    return net.eval()


def distill(teacher, student, steps=420, temp=3.0):
    t_tap, s_tap = FeatureTap(teacher, (1, 3)), FeatureTap(student, (1, 3))
    opt = torch.optim.Adam(student.parameters(), lr=4e-3)
    right = seen = 0
    for k in range(steps):
        x, y = scans(16)
        t_logits, s_logits = teacher(x), student(x)
        kd = F.kl_div(F.log_softmax(s_logits / temp, 1), F.softmax(t_logits / temp, 1), reduction="batchmean")
        at = sum((attention(s_tap.maps[i]) - attention(t_tap.maps[i])).pow(2).mean() for i in s_tap.maps)
        loss = F.cross_entropy(s_logits, y) + kd + 5.0 * at
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += (s_logits.argmax(1) == y).sum().item()
        seen += len(y)
        if k % 100 == 99:
            print(k + 1, "acc", round(right / seen, 3), "grad norms", {i: round(v, 4) for i, v in s_tap.grads.items()})
            right = seen = 0


if __name__ == "__main__":
    torch.manual_seed(77)
    distill(fit_teacher(ScanNet((12, 16))), ScanNet((4, 6)))
