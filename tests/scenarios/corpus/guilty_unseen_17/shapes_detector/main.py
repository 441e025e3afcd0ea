# gradwatch-corpus: kind=graph-held
# holder: self.val_history | self.val_history[key] | runner.log_buffer.val_history | log_buffer.val_history | runner.log_buffer.val_history["loss"] | runner.log_buffer.val_history["loss_cls"] | runner.log_buffer.val_history["loss_bbox"]
# first-bad: 1
"""Localises one synthetic shape (square, cross, bar) per image; config-driven, with registries and hooks."""
import torch

import hooks  # noqa: F401  (registers)
import models  # noqa: F401  (registers)
from registry import DATASETS, DETECTORS
from runner import IterBasedRunner

cfg = dict(
    seed=42,
    model=dict(type="SingleStage",
               backbone=dict(type="SmallConvNet", channels=(8, 16)),
               head=dict(type="SingleBoxHead", num_classes=3)),
    data=dict(type="SyntheticShapes", size=16, samples_per_gpu=16),
    optimizer=dict(lr=0.02, momentum=0.9, weight_decay=1e-4),
    hooks=[dict(type="WarmupLrHook", warmup_iters=40),
           dict(type="OptimizerHook", max_norm=5.0),
           dict(type="TextLoggerHook", interval=100)],
    max_iters=400,
)


@DATASETS.register_module
class SyntheticShapes:
    def __init__(self, size, samples_per_gpu, seed=0):
        self.size, self.n = size, samples_per_gpu
        self.gen = torch.Generator().manual_seed(seed)

    def _draw(self, label, x, y, w):
        img = torch.zeros(self.size, self.size)
        if label == 0:
            img[y:y + w, x:x + w] = 1
        elif label == 1:
            img[y + w // 2, x:x + w] = 1
            img[y:y + w, x + w // 2] = 1
        else:
            img[y:y + w, x:x + 2] = 1
        return img

    def __iter__(self):
        while True:
            label = torch.randint(3, (self.n,), generator=self.gen)
            w = torch.randint(4, 8, (self.n,), generator=self.gen)
            x = torch.randint(0, 8, (self.n,), generator=self.gen)
            y = torch.randint(0, 8, (self.n,), generator=self.gen)
            img = torch.stack([self._draw(*t) for t in zip(label.tolist(), x.tolist(), y.tolist(), w.tolist())])
            img = img + 0.1 * torch.randn(img.shape, generator=self.gen)
            box = torch.stack([x, y, x + w, y + w], 1).float() / self.size
            yield dict(img=img.unsqueeze(1), gt_label=label, gt_bbox=box)


def main():
    torch.manual_seed(cfg["seed"])
    model = DETECTORS.build(cfg["model"])
    optimizer = torch.optim.SGD(model.parameters(), **cfg["optimizer"])
    runner = IterBasedRunner(model, optimizer, cfg["max_iters"])
    for hook_cfg in cfg["hooks"]:
        runner.register_hook(hook_cfg)
    runner.run(DATASETS.build(cfg["data"]))
    print("done,", runner.iter, "iterations")


if __name__ == "__main__":
    main()
