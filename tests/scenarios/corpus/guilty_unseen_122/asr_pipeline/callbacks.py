class LRWarmup:
    def __init__(self, steps):
        self.steps = steps
        self.base = None

    def before_step(self, pipeline, step):
        if self.base is None:
            self.base = [g["lr"] for g in pipeline.opt.param_groups]
        scale = min(1.0, (step + 1) / self.steps)
        for g, lr in zip(pipeline.opt.param_groups, self.base):
            g["lr"] = lr * scale


class Recorder:
    def __init__(self, every):
        self.every = every
        self.rows = []

    def after_step(self, pipeline, step, **values):
        if step % self.every == 0:
            lr = pipeline.opt.param_groups[0]["lr"]
            self.rows.append({"step": step, "lr": lr, **values})  # <- culprit

    def at_end(self, pipeline):
        first, last = self.rows[0], self.rows[-1]
        print(f"{len(self.rows)} rows, ctc {float(first['ctc']):.2f} -> {float(last['ctc']):.2f}")


class Console:
    def __init__(self, every):
        self.every = every

    def after_step(self, pipeline, step, ctc, blank_rate):
        if step % self.every == 0:
            print(f"step {step:4d} ctc {ctc.item():.3f} blank {blank_rate:.2f}")


_REGISTRY = {"lr_warmup": LRWarmup, "recorder": Recorder, "console": Console}


def build_callback(conf):
    return _REGISTRY[conf.pop("name")](**conf)
