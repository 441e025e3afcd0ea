# gradwatch-corpus: kind=none
"""Risk score with a calibration head learned on a slower clock.

The network trains each step; the calibration (temperature and per-ward offset)
gets one update per 25 steps from all the calibration losses gathered since.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

WARDS, FEATURES, PERIOD, STEPS = 4, 14, 25, 350


class Calibration(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_t = nn.Parameter(torch.zeros(()))
        self.offset = nn.Parameter(torch.zeros(WARDS))

    def forward(self, logits, ward):
        return logits / self.log_t.exp() + self.offset[ward]


class SlowUpdater:
    def __init__(self, calibration, period, lr=0.05):
        self.calibration = calibration
        self.opt = torch.optim.SGD(calibration.parameters(), lr=lr)
        self.period = period
        self.pending = []
        self.updates = 0

    def add(self, logits, ward, y):
        z = self.calibration(logits.detach(), ward)
        self.pending.append(F.binary_cross_entropy_with_logits(z, y))
        if len(self.pending) == self.period:
            self.flush()

    def flush(self):
        self.opt.zero_grad()
        torch.stack(self.pending).mean().backward()
        self.opt.step()
        self.pending.clear()
        self.updates += 1


def patients(n, coef):
    x = torch.randn(n, FEATURES)
    ward = torch.randint(0, WARDS, (n,))
    logit = x @ coef + 0.5 * (ward.float() - 1.5)
    return x, ward, torch.bernoulli(torch.sigmoid(logit))


def ece(p, y, bins=8):
    total = 0.0
    for b in range(bins):
        m = (p >= b / bins) & (p < (b + 1) / bins)
        if m.any():
            total += m.float().mean().item() * (p[m].mean() - y[m].mean()).abs().item()
    return total


def main():
    torch.set_num_threads(1)
    torch.manual_seed(41)
    coef = 0.6 * torch.randn(FEATURES)
    net = nn.Sequential(nn.Linear(FEATURES, 24), nn.ReLU(), nn.Linear(24, 1))
    calibration = Calibration()
    slow = SlowUpdater(calibration, PERIOD)
    fast = torch.optim.Adam(net.parameters(), lr=3e-3)
    for step in range(STEPS):
        x, ward, y = patients(48, coef)
        logits = net(x).squeeze(-1)
        loss = F.binary_cross_entropy_with_logits(logits, y)
        fast.zero_grad()
        loss.backward()
        fast.step()
        slow.add(logits, ward, y)
        if step % 70 == 69:
            print(f"step {step + 1} loss {loss.item():.4f} T {calibration.log_t.exp().item():.3f}")
    with torch.no_grad():
        x, ward, y = patients(2000, coef)
        z = net(x).squeeze(-1)
        print("ECE raw", round(ece(torch.sigmoid(z), y), 4),
              "calibrated", round(ece(torch.sigmoid(calibration(z, ward)), y), 4),
              "updates", slow.updates)


if __name__ == "__main__":
    main()
