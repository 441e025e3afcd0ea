# gradwatch-corpus: kind=graph-held
# holder: model.pitch.weight._backward_hooks | p._backward_hooks | weight._backward_hooks | self.model.pitch.weight._backward_hooks | overspeed | on_grad | model.pitch.weight
# first-bad: 1
# notice: 8
import torch as th
import torch.nn as nn
import torch.nn.functional as F

th.set_num_threads(1)
th.manual_seed(60)

# ---------------------------------------------------------------------------
# Blade-pitch controller for a tidal-stream turbine: from lagged current speed
# and rotor speed choose a pitch that maximises power without overspeeding.
# ---------------------------------------------------------------------------
LAGS, HIDDEN, BATCH, ITERS = 6, 24, 32, 300


class Controller(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(LAGS + 1, HIDDEN), nn.SiLU())
        self.pitch = nn.Linear(HIDDEN, 1)

    def forward(self, currents, rotor):
        h = self.body(th.cat([currents, rotor], 1))
        return 25 * th.sigmoid(self.pitch(h))


def tide(batch, it, g):
    phase = it * 0.07 + th.rand(batch, 1, generator=g) * 0.5
    lag = th.arange(LAGS) * 0.05
    speed = 2.2 * th.sin(phase - lag).abs() + 0.2 * th.randn(batch, LAGS, generator=g).abs()
    rotor = 0.8 + 0.5 * th.rand(batch, 1, generator=g)
    return speed, rotor


def power_coeff(tsr, pitch):
    lam = 1 / (1 / (tsr + 0.08 * pitch) - 0.035 / (pitch ** 3 + 1)).clamp_min(1e-2)
    return 0.22 * (lam.clamp(0, 30) * 0.9 - 0.4 * pitch * 0.2 - 1).clamp(0, 10) * th.exp(-0.12 * lam)


class GradientReport:
    """Relates the size of the pitch gradient to how far the batch overspeeds."""

    def __init__(self, every):
        self.every = every
        self.lines = []

    def watch(self, p, it, overspeed):
        def on_grad(grad):
            if it % self.every == 0:
                self.lines.append((it, grad.norm().item(), overspeed.max().item()))
        p.register_hook(on_grad)  # <- culprit


g = th.Generator().manual_seed(61)
model = Controller()
opt = th.optim.AdamW(model.parameters(), lr=2e-3)
report = GradientReport(every=30)
seen = set()

for it in range(ITERS):
    currents, rotor = tide(BATCH, it, g)
    pitch = model(currents, rotor)
    v = currents[:, :1]
    tsr = rotor * 5.0 / v.clamp_min(0.3)
    cp = power_coeff(tsr, pitch)
    torque = 0.5 * cp * v ** 3
    overspeed = F.relu(rotor + 0.1 * torque - 1.3)
    loss = -torque.mean() + 4.0 * overspeed.pow(2).mean()

    report.watch(model.pitch.weight, it, overspeed)  # <- culprit
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()

    if it % 60 == 0:
        print(f"[{it:3d}] mean torque {torque.mean().item():.4f}  mean pitch {pitch.mean().item():5.2f} deg")

for it, norm, over in report.lines:
    if it not in seen:
        seen.add(it)
        print(f"  it {it:3d}  |grad| {norm:.4f}  worst overspeed {over:.3f}")
