# gradwatch-corpus: kind=graph-held
# holder: self.gallery | report.gallery | callbacks[0].gallery
# first-bad: 1
"""Second order MAML on sine waves. python -m maml_waves"""
import torch

from .learner import adapt, regressor, predict
from .report import AdaptationReport, Progress
from .waves import stream


def meta_train(meta_steps=300, tasks_per_step=3, inner=2, inner_lr=0.01):
    torch.manual_seed(99)
    theta = regressor(width=40)
    opt = torch.optim.Adam(theta.values(), lr=2e-3)
    report = AdaptationReport()
    callbacks = [report, Progress(every=50)]
    source = stream(seed=4)

    for step in range(meta_steps):
        outer = 0.0
        for _ in range(tasks_per_step):
            wave = next(source)
            fast = adapt(theta, *wave.support(), inner, inner_lr)
            xq, yq = wave.query()
            q = (predict(fast, xq) - yq).pow(2).mean()
            outer = outer + q / tasks_per_step
            for cb in callbacks:
                cb.on_task(step, wave, fast, q)
        opt.zero_grad()
        outer.backward()
        opt.step()
        for cb in callbacks:
            cb.on_step(step, outer.item())
    report.finish(predict)


if __name__ == "__main__":
    meta_train()
