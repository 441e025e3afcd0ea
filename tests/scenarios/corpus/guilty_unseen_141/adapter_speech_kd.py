# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
"""Houlsby adapters in a frozen speech encoder, distilled from a wider teacher, scaled loss."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(88)


class Bottleneck(nn.Module):
    def __init__(self, d, r):
        super().__init__()
        self.a, self.b = nn.Linear(d, r), nn.Linear(r, d)
        nn.init.zeros_(self.b.weight)

    def forward(self, x):
        return x + self.b(torch.nn.functional.gelu(self.a(x)))


class Encoder(nn.Module):
    def __init__(self, d, adapt=None):
        super().__init__()
        self.proj = nn.Linear(8, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.adapt = Bottleneck(d, adapt) if adapt else nn.Identity()
        self.ctc = nn.Linear(d, 7)

    def forward(self, mel):
        h, _ = self.rnn(torch.relu(self.proj(mel)))
        return self.ctc(self.adapt(h))


class LossScale:
    def __init__(self, start=256.0):
        self.value, self.good = start, 0

    def backward(self, loss):
        (loss * self.value).backward(retain_graph=True)  # <- culprit

    def step(self, opt, params):
        ok = True
        for p in params:
            if p.grad is not None:
                p.grad.div_(self.value)
                ok = ok and bool(torch.isfinite(p.grad).all())
        if ok:
            opt.step()
            self.good += 1
            if self.good % 200 == 0:
                self.value *= 2
        else:
            self.value /= 2


teacher = Encoder(24).requires_grad_(False).eval()
student = Encoder(12, adapt=4)
for part in (student.proj, student.rnn):
    part.requires_grad_(False)
params = [p for p in student.parameters() if p.requires_grad]
opt = torch.optim.Adam(params, lr=3e-3)
scale = LossScale()

for i in range(500):
    mel = torch.randn(6, 14, 8).cumsum(1) * 0.2
    with torch.no_grad():
        target = teacher(mel).softmax(-1)
    logp = student(mel).log_softmax(-1)
    loss = -(target * logp).sum(-1).mean()
    opt.zero_grad()
    scale.backward(loss)
    scale.step(opt, params)
    if i % 100 == 0:
        print(i, round(loss.item(), 4), scale.value)
