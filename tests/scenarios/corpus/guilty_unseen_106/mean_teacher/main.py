# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | self.shadow[name] | self.ema.shadow
# first-bad: 61
# notice: 5
"""Mean teacher on two moons, 16 labels.  Student = MLP, teacher = EMA of the student's weights."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from ema import ModelEMA
from moons import make_moons, noisy
from ramps import sigmoid_rampup

torch.set_num_threads(1)
torch.manual_seed(8)

CFG = dict(steps=260, ema_warmup=60, decay=0.98, max_weight=3.0, lr=4e-3)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.student = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2))
        self.ema = ModelEMA(self.student, cfg["decay"], warmup=cfg["ema_warmup"])
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=cfg["lr"])
        self.x, self.y = make_moons(400)
        self.lab = torch.cat([torch.where(self.y == c)[0][:8] for c in (0, 1)])

    def train_step(self, step):
        idx = torch.randint(len(self.x), (48,))
        xu = self.x[idx]
        sup = F.cross_entropy(self.student(noisy(self.x[self.lab])), self.y[self.lab])
        p_s = self.student(noisy(xu)).softmax(1)
        p_t = self.ema(noisy(xu)).softmax(1)  # <- culprit
        w = self.cfg["max_weight"] * sigmoid_rampup(step, 120)
        loss = sup + w * F.mse_loss(p_s, p_t)

        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.ema.update()
        return sup.item(), loss.item()

    @torch.no_grad()
    def accuracy(self):
        s = (self.student(self.x).argmax(1) == self.y).float().mean().item()
        t = (self.ema(self.x).argmax(1) == self.y).float().mean().item()
        return s, t

    def fit(self):
        for step in range(self.cfg["steps"]):
            sup, tot = self.train_step(step)
            if step % 50 == 49:
                s, t = self.accuracy()
                print(f"{step + 1:4d} sup {sup:.3f} total {tot:.3f} | acc student {s:.3f} teacher {t:.3f}")


if __name__ == "__main__":
    Trainer(CFG).fit()
