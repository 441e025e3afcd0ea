# gradwatch-corpus: kind=graph-held
# holder: self.center | model.center
# first-bad: 1
"""Self-distillation (student/teacher with centering) on satellite tiles, with a k-NN probe."""
import torch

from distill import SelfDistill
from probe import ProbeCallback
from tiles import augment, make_tiles

CFG = dict(steps=420, batch=32, lr=1e-3, wd=1e-4, seed=3)


def fit(cfg):
    torch.manual_seed(cfg["seed"])
    x, kind = make_tiles(seed=cfg["seed"])
    model = SelfDistill()
    opt = torch.optim.AdamW(model.student.parameters(), lr=cfg["lr"], weight_decay=cfg["wd"])
    callbacks = [ProbeCallback(x[:200], kind[:200], every=60)]
    for step in range(cfg["steps"]):
        batch = x[torch.randint(len(x), (cfg["batch"],))]
        loss = model(augment(batch), augment(batch))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        model.update_teacher()
        for cb in callbacks:
            cb.after_step(step, model, loss.item())
    return callbacks[0].scores


if __name__ == "__main__":
    scores = fit(CFG)
    print("knn over time:", ", ".join(f"{s:.2f}" for s in scores))
