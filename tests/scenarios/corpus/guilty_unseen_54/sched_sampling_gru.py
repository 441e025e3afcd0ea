# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
"""GRU forecaster of a noisy van der Pol oscillator with scheduled sampling."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def van_der_pol(n, T, dt=0.1, mu=1.5):
    s = 2 * torch.randn(n, 2)
    out = []
    for _ in range(T):
        x, v = s.unbind(-1)
        s = s + dt * torch.stack([v, mu * (1 - x * x) * v - x], -1)
        s = s.clamp(-4, 4)
        out.append(s)
    return torch.stack(out, 1) + 0.02 * torch.randn(n, T, 2)


class TeacherSchedule:
    """Share of own predictions fed back, zero during the warm-up."""

    def __init__(self, warmup=30, ramp=80, top=0.5):
        self.warmup, self.ramp, self.top = warmup, ramp, top

    def __call__(self, step):
        if step < self.warmup:
            return 0.0
        return min(self.top, self.top * (step - self.warmup + 10) / self.ramp)


class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.GRUCell(2, hidden)
        self.read = nn.Linear(hidden, 2)

    def feed_back(self, inputs, t, pred, p):
        coin = torch.rand(len(inputs)) < p
        if coin.any():
            inputs[coin, t] = pred.detach()[coin]  # <- culprit

    def forward(self, seq, p_own):
        inputs = seq[:, :-1].clone()
        h = inputs.new_zeros(len(inputs), self.cell.hidden_size)
        preds = []
        for t in range(inputs.shape[1]):
            h = self.cell(inputs[:, t], h)
            pred = inputs[:, t] + self.read(h)
            preds.append(pred)
            if t + 1 < inputs.shape[1] and p_own > 0:
                self.feed_back(inputs, t + 1, pred, p_own)  # <- culprit
        return torch.stack(preds, 1)


def main():
    torch.manual_seed(6)
    loader = DataLoader(TensorDataset(van_der_pol(320, 24)), batch_size=32, shuffle=True)
    net, schedule = Forecaster(), TeacherSchedule()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    step = 0
    for epoch in range(12):
        for (seq,) in loader:
            p = schedule(step)
            loss = nn.functional.smooth_l1_loss(net(seq, p), seq[:, 1:])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            step += 1
        print(f"epoch {epoch} step {step} loss {loss.item():.4f} p_own {p:.2f}")


if __name__ == "__main__":
    main()
