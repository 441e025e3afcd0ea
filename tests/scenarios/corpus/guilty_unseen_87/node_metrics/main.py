# gradwatch-corpus: kind=graph-held
# holder: self._pending | self._metrics["psnr"]._pending | tracker._metrics["psnr"]._pending | metric._pending | m._pending | fn
# first-bad: 1
# notice: 8
"""Neural ODE on damped spirals, fixed-step RK4, with kinetic-energy regularisation (RNODE)."""
import torch
from torch import nn

from metrics import MetricTracker, build
from ode import NeuralODE, spirals


def main(iters=350):
    torch.set_num_threads(1)
    torch.manual_seed(1234)
    model = NeuralODE(dim=2, width=32)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=150, gamma=0.5)
    tracker = MetricTracker({
        "mse": build("mean"),
        "kinetic": build("mean"),
        "psnr": build("ratio_db", peak=1.5),
    })
    t = torch.linspace(0, 1.5, 7)
    for i in range(iters):
        x0, target = spirals(24, t)
        pred, kinetic = model(x0, t)
        mse = nn.functional.mse_loss(pred, target)
        loss = mse + 0.01 * kinetic
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        opt.step()
        sched.step()
        tracker.update(mse=mse.item(), kinetic=kinetic.item(), psnr=mse)  # <- culprit
        if i % 100 == 99:
            print(f"iter {i + 1} mse {mse.item():.4f} kinetic {kinetic.item():.3f}")
    print("summary", {k: round(v, 4) for k, v in tracker.compute().items()})


if __name__ == "__main__":
    main()
