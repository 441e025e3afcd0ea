# gradwatch-corpus: kind=crashed
# line: engine.py:24: torch.set_grad_enabled(False)
# first-bad: 40
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from engine import evaluation, AverageMeter

torch.manual_seed(7)


class ConvModule(nn.Module):
    def __init__(self, d, k=5):
        super().__init__()
        self.ln = nn.LayerNorm(d)
        self.pw1 = nn.Linear(d, 2 * d)
        self.dw = nn.Conv1d(d, d, k, padding=k // 2, groups=d)
        self.pw2 = nn.Linear(d, d)

    def forward(self, x):
        y = F.glu(self.pw1(self.ln(x)), dim=-1)
        y = self.dw(y.transpose(1, 2)).transpose(1, 2)
        return x + self.pw2(F.silu(y))


class KeywordSpotter(nn.Module):
    def __init__(self, n_mels=20, d=24, classes=6):
        super().__init__()
        self.proj = nn.Linear(n_mels, d)
        self.att = nn.MultiheadAttention(d, 2, batch_first=True)
        self.conv = ConvModule(d)
        self.out = nn.Linear(d, classes)

    def forward(self, mel):
        h = self.proj(mel)
        h = h + self.att(h, h, h, need_weights=False)[0]
        return self.out(self.conv(h).mean(1))


@evaluation
def validate(model, loader):
    acc = AverageMeter()
    for mel, y in loader:
        acc.update((model(mel).argmax(-1) == y).float().mean().item(), len(y))
    return acc.avg


def train_one_epoch(model, loader, opt, sched):
    loss_m = AverageMeter()
    for mel, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(mel), y, label_smoothing=0.1)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        sched.step()
        loss_m.update(loss.item(), len(y))
    return loss_m.avg


def main():
    mel = torch.randn(320, 30, 20)
    y = mel.mean((1, 2)).argsort().argsort() * 6 // 320
    ds = TensorDataset(mel, y)
    tr = DataLoader(ds, 8, shuffle=True)
    va = DataLoader(TensorDataset(mel[:64], y[:64]), 32)
    model = KeywordSpotter()
    opt = torch.optim.AdamW(model.parameters(), 1e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 3e-3, total_steps=40 * 8)
    best = 0.0
    for epoch in range(8):
        tl = train_one_epoch(model, tr, opt, sched)
        best = max(best, validate(model, va))
        print(f"epoch {epoch} loss {tl:.3f} best {best:.3f}")


main()
