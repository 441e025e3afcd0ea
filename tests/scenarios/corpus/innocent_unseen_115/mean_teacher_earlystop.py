# gradwatch-corpus: kind=none
"""Mean teacher on noisy sensor windows, early stopping on the EMA model.

Keeps the best EMA checkpoint, the ensemble of epoch-wise predictions on the unlabelled
pool (temporal ensembling), and per-epoch meters.
"""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.val, self.sum, self.count = 0.0, 0.0, 0

    def update(self, val, n=1):
        if isinstance(val, torch.Tensor):
            val = val.detach()
        self.val = val
        self.sum = self.sum + val * n
        self.count += n

    @property
    def avg(self):
        return float(self.sum / max(self.count, 1))

    def __str__(self):
        return f"{self.name} {self.avg:.3f}"


class SensorNet(nn.Module):
    def __init__(self, n_cls, ema=False):
        super().__init__()
        self.conv = nn.Conv1d(2, 12, 5, stride=2)
        self.bn = nn.BatchNorm1d(12)
        self.fc = nn.Linear(12, n_cls)
        if ema:
            for p in self.parameters():
                p.detach_()

    def forward(self, x):
        return self.fc(F.relu(self.bn(self.conv(x))).mean(-1))


def update_ema_variables(model, ema_model, alpha, global_step):
    alpha = min(1 - 1 / (global_step + 1), alpha)
    for ema_p, p in zip(ema_model.parameters(), model.parameters()):
        ema_p.data.mul_(alpha).add_(p.data, alpha=1 - alpha)
    for ema_b, b in zip(ema_model.buffers(), model.buffers()):
        ema_b.copy_(b)


def windows(n, n_cls, length=32):
    y = torch.randint(0, n_cls, (n,))
    t = torch.arange(length).float()
    f = 0.15 * (y + 1).float()[:, None]
    ph = 2 * math.pi * torch.rand(n, 1)
    x = torch.stack([torch.sin(f * t + ph), torch.cos(1.7 * f * t + ph)], 1)
    return x + 0.5 * torch.randn_like(x), y


def jitter(x):
    return x * (1 + 0.1 * torch.randn(x.size(0), 1, 1)) + 0.1 * torch.randn_like(x)


@torch.no_grad()
def validate(model, x, y):
    model.eval()
    logits = model(x)
    model.train()
    return F.cross_entropy(logits, y), (logits.argmax(1) == y).float().mean()


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.bad, self.best = patience, 0, None
        self.state, self.losses = None, []

    def __call__(self, loss, model):
        self.losses.append(loss)
        if self.best is None or loss < self.best:
            self.best, self.bad = loss, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def main(max_epochs=25, n_cls=4, seed=8):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    xl, yl = windows(48, n_cls)
    xu, _ = windows(480, n_cls)
    xv, yv = windows(160, n_cls)
    model, ema_model = SensorNet(n_cls), SensorNet(n_cls, ema=True)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-4)
    stopper = EarlyStopping(patience=14)
    ensemble = torch.full((480, n_cls), 1.0 / n_cls)
    meters = [AverageMeter("class"), AverageMeter("cons"), AverageMeter("te")]
    history, step = [], 0

    for epoch in range(max_epochs):
        for m in meters:
            m.reset()
        ramp = math.exp(-5 * (1 - min(epoch / 8, 1)) ** 2)
        epoch_probs = torch.empty_like(ensemble)
        for idx in torch.randperm(480).split(24):
            li = torch.randint(0, 48, (16,))
            logits = model(torch.cat([jitter(xl[li]), jitter(xu[idx])]))
            cls_logit, u_logit = logits[:16], logits[16:]
            target = ema_model(jitter(xu[idx])).softmax(1)

            class_loss = F.cross_entropy(cls_logit, yl[li])
            cons_loss = F.mse_loss(u_logit.softmax(1), target)
            te_loss = F.mse_loss(u_logit.softmax(1), ensemble[idx])
            loss = class_loss + ramp * (5.0 * cons_loss + 1.0 * te_loss)
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
            update_ema_variables(model, ema_model, 0.97, step)

            epoch_probs[idx] = u_logit.softmax(1).detach()
            for m, v in zip(meters, (class_loss, cons_loss, te_loss)):
                m.update(v, idx.numel())
        ensemble = 0.7 * ensemble + 0.3 * epoch_probs
        val_loss, val_acc = validate(ema_model, xv, yv)
        history.append((val_loss, val_acc))
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:2d}  " + "  ".join(map(str, meters)) + f"  val {val_loss:.3f} acc {val_acc:.3f}")
        if stopper(val_loss, ema_model):
            print("early stop at", epoch + 1)
            break

    ema_model.load_state_dict(stopper.state)
    print(f"best val {stopper.best:.3f}, restored acc {validate(ema_model, xv, yv)[1]:.3f}")


if __name__ == "__main__":
    main()
