class Warmup:
    def __init__(self, steps):
        self.steps = steps

    def before_batch(self, runner):
        f = min(1.0, (runner.global_step + 1) / self.steps)
        for g in runner.opt.param_groups:
            g["lr"] = f * runner.base_lr
