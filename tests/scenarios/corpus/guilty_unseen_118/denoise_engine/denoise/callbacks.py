import torch


class GainSchedule:
    def __init__(self, factor):
        self.factor = factor

    def epoch_completed(self, engine):
        for group in engine.opt.param_groups:
            group["lr"] *= self.factor


class EpochReport:
    def epoch_completed(self, engine):
        s = engine.state
        means = {k: torch.stack(v).mean().item() for k, v in s.outputs.items()}
        if s.epoch % 5 == 4:
            print(f"epoch {s.epoch:02d} seen={s.seen} " + " ".join(f"{k}={v:.3f}" for k, v in means.items()))
