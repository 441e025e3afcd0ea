# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(11)

ACCUM = 4
STEPS = 480
EMA_DECAY = 0.98


class Tabular(nn.Module):
    def __init__(self, n_num=10, cardinalities=(6, 12, 4), dim=6):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(c, dim) for c in cardinalities)
        self.body = nn.Sequential(
            nn.Linear(n_num + dim * len(cardinalities), 48), nn.SiLU(),
            nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))

    def forward(self, num, cat):
        parts = [num] + [e(cat[:, i]) for i, e in enumerate(self.embs)]
        return self.body(torch.cat(parts, 1)).squeeze(1)


class ModelEMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters()}
        self.backup = {}

    @torch.no_grad()
    def update(self, model):
        for n, p in model.named_parameters():
            self.shadow[n] = self.decay * self.shadow[n] + (1 - self.decay) * p

    def swap_in(self, model):
        for n, p in model.named_parameters():
            self.backup[n] = p.data
            p.data = self.shadow[n].clone()

    def swap_out(self, model):
        for n, p in model.named_parameters():
            p.data = self.backup.pop(n)


num = torch.randn(4000, 10)
cat = torch.stack([torch.randint(0, c, (4000,)) for c in (6, 12, 4)], 1)
price = num[:, 0] * 2 + num[:, 1].abs() + 0.3 * cat[:, 1] - 0.5 * (cat[:, 2] == 3) + 0.2 * torch.randn(4000)
price = (price - price.mean()) / price.std()
tr, va = slice(0, 3200), slice(3200, 4000)

model = Tabular()
ema = ModelEMA(model, EMA_DECAY)
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
warm = 20
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: min(1.0, (s + 1) / warm) * 0.5 * (1 + math.cos(math.pi * s / (STEPS / ACCUM))))

smooth = None
opt.zero_grad()
for step in range(STEPS):
    idx = torch.randint(0, 3200, (32,))
    pred = model(num[tr][idx], cat[tr][idx])
    loss = F.huber_loss(pred, price[tr][idx])
    (loss / ACCUM).backward()

    value = loss.detach()
    smooth = value if smooth is None else 0.95 * smooth + 0.05 * value

    if (step + 1) % ACCUM == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        sched.step()
        ema.update(model)

    if (step + 1) % 80 == 0:
        ema.swap_in(model)
        model.eval()
        with torch.inference_mode():
            rmse = F.mse_loss(model(num[va], cat[va]), price[va]).sqrt()
        model.train()
        ema.swap_out(model)
        print(f"step {step + 1} smooth {smooth:.4f} ema-rmse {rmse:.4f} lr {sched.get_last_lr()[0]:.4f}")
